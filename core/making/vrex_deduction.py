"""V-REX's Deduction: flow charts, patterns, properties, relationships."""

from __future__ import annotations

from typing import Final

from core.making import vrex_deduction_pictures as pictures
from core.making.chains import Chain, Step

CHAINS: Final[tuple[Chain, ...]] = (
    Chain(
        "flowchart-001",
        "Flowchart",
        pictures.parcels,
        "On which shelf does the parcel of the card end up?",
        "Yellow / Green / Blue / Red",
        (
            Step(
                "How heavy is the parcel of the card?",
                "7 kg / 5 kg / 4 kg",
                (
                    "What is the title of the card? = Parcel card",
                    "On which day was it sent? = Monday",
                ),
                (
                    "What is inside the parcel of the card? = Glass",
                    "How many diamonds does the chart have? = Three",
                ),
            ),
            Step(
                "To which question does the chart lead a parcel of that weight?",
                "From here, is it abroad? / Is it glass? / None: it goes to a shelf",
                (
                    "What colour are the diamonds? = Pale yellow",
                    "Which shelf is farthest to the left? = Blue",
                    "What is the shape of the field that holds the word Start at the top? = An oval",
                ),
                (
                    "To which question would the chart lead a light parcel? = Is it glass?",
                    "How many shelves does the chart end in? = Four",
                ),
            ),
            Step(
                "To which country is the parcel addressed?",
                "Norway / Sweden / Iceland",
                (
                    "What is inside the parcel? = Glass",
                    "Which word stands in the oval at the top? = Start",
                ),
                (
                    "On which shelf would light glass end up? = On the blue one",
                    "How many arrows have the word yes? = Three",
                ),
            ),
            Step(
                "In which country does the post office stand?",
                "Norway / Denmark / Finland",
                (
                    "On which day was the parcel sent? = Monday",
                    "Which shelf is right below the left diamond? = Blue",
                ),
                (
                    "On which shelf would light things without glass end up? = On the red one",
                    "How many arrows have the word no? = Three",
                ),
            ),
        ),
    ),
    Chain(
        "flowchart-002",
        "Flowchart",
        pictures.machine,
        "Which number does the machine print?",
        "11 / 4 / 7 / 9",
        (
            Step(
                "Which number goes in at the top?",
                "6 / 8 / 5",
                (
                    "How many diamonds are there? = Two",
                    "What colour is the oval at the foot? = Pink",
                ),
                (
                    "What does the box on the upper right do? = It multiplies by 3",
                    "How many shapes does the chart have in all? = Nine",
                ),
            ),
            Step(
                "Which number leaves the first box?",
                "10 / 24 / 2 / 12",
                (
                    "What is written in the box at the lower left? = Take away 1",
                    "How many ovals are there? = Two",
                    "What stands between the two diamonds? = Two arrows",
                ),
                (
                    "What would 10 become in the box on the upper right? = 30",
                    "How many of the shapes are diamonds? = Two",
                ),
            ),
            Step(
                "Which way does that number leave the first diamond?",
                "Left, by yes / Right, by no",
                (
                    "What colour are the words yes and no? = Dark red",
                    "Which box is lowest on the right? = Add 6",
                ),
                (
                    "Which way would a 30 leave the second diamond? = To the left",
                    "How many of the shapes are boxes? = Five",
                ),
            ),
            Step(
                "Which number leaves the next box on that way?",
                "5 / 30 / 20 / 8",
                (
                    "What would a 7 have done at the top? = It would have become 11",
                    "What does the right box say? = Times 3",
                ),
                (
                    "What does the box at the lower left do to a number? = It takes away 1",
                    "How many of the shapes are ovals? = Two",
                ),
            ),
            Step(
                "Which way does this number leave the second diamond?",
                "Right, by no / Left, by yes",
                (
                    "How many boxes has the whole chart? = Five",
                    "What is asked in the second diamond? = More than 8?",
                    "How many words yes are written? = Two",
                ),
                (
                    "What would a 30 become in the box at the lower left? = 29",
                    "Which of the shapes are yellow? = The diamonds",
                ),
            ),
        ),
    ),
    Chain(
        "pattern-001",
        "Pattern",
        pictures.matrix,
        "Which tile belongs in the empty place of the grid?",
        "Tile 3 / Tile 1 / Tile 2 / Tile 4",
        (
            Step(
                "Which shape do the tiles above the empty place have?",
                "A square / A circle / A triangle",
                (
                    "How many tiles are offered? = Four",
                    "What is drawn in the empty place? = A question mark",
                ),
                (
                    "Which shape do the tiles of the middle column have? = A triangle",
                    "What colour is the tile in the upper left corner of the grid? = Red",
                ),
            ),
            Step(
                "How many dots have the other tiles of the bottom row?",
                "Three / Two / One",
                (
                    "How many dots has the tile in the upper left? = One",
                    "What is the colour behind the grid? = Pale grey",
                    "How many of the offered tiles are red? = One",
                ),
                (
                    "How many dots has the tile in the very middle of the grid? = Two",
                    "How many dots have the tiles of the top row? = One",
                ),
            ),
            Step(
                "Which of the three colours is missing from the bottom row?",
                "Blue / Red / Yellow",
                (
                    "Which shape is in the left column? = A circle",
                    "How many rows does the grid have? = Three",
                ),
                (
                    "What colour is the tile in the very middle of the grid? = Yellow",
                    "What colour has the tile at the right end of the top row of the grid? = Yellow",
                ),
            ),
        ),
    ),
    Chain(
        "pattern-002",
        "Pattern",
        pictures.stairs,
        "How many squares will the fifth figure have?",
        "20 / 21 / 22 / 24",
        (
            Step(
                "How many squares has figure 3?",
                "9 / 8 / 10 / 12",
                (
                    "What is written below the first figure? = Figure 1",
                    "How many question marks are drawn? = One",
                ),
                (
                    "Which figure is drawn in orange? = The first",
                    "How many figures are drawn in full? = Four",
                ),
            ),
            Step(
                "How many squares has figure 4?",
                "14 / 12 / 13 / 16",
                (
                    "What colour is figure 2? = Blue",
                    "Which figure stands most to the left? = Figure 1",
                    "On which side are the steps? = The right",
                ),
                (
                    "Which figure is drawn in green? = The third",
                    "What is written under the question mark? = Figure 5",
                ),
            ),
            Step(
                "How many squares long is the new bottom row that figure 5 gets?",
                "6 / 5 / 7",
                (
                    "How many of the four figures are made of an even number of squares? = Two",
                    "What colour is the background? = Cream",
                ),
                (
                    "Which of the four colours is used for the last full figure? = Pink",
                    "On which side do the figures have their steps? = On the right",
                ),
            ),
        ),
    ),
    Chain(
        "property-001",
        "Property",
        pictures.balances,
        "Which of the four balls is the heaviest?",
        "Yellow / Green / Red / Blue",
        (
            Step(
                "Which ball is heavier on scales 1?",
                "The red one / The blue one",
                (
                    "How many scales are there? = Three",
                    "What is the beam made of? = Wood",
                ),
                (
                    "On which scales does the blue ball lie? = On scales 1",
                    "What colour are the pans? = Grey",
                ),
            ),
            Step(
                "Which ball is heavier on scales 2?",
                "The green one / The red one",
                (
                    "On how many scales does the blue ball lie? = One",
                    "What is written below the scales? = How to read them",
                    "How many balls lie on each pan? = One",
                ),
                (
                    "On how many scales does the red ball lie? = On two",
                    "What is the beam made of? = Wood",
                ),
            ),
            Step(
                "Which ball is heavier on scales 3?",
                "The yellow one / The green one",
                (
                    "How often is the red ball weighed? = Twice",
                    "Which scales stand in the middle? = Scales 2",
                ),
                (
                    "On which side of scales 3 does the green ball lie? = On the left",
                    "What colour is the foot of the scales? = Grey",
                ),
            ),
        ),
    ),
    Chain(
        "property-002",
        "Property",
        pictures.tank,
        "What will the block with the question mark do when it is let go?",
        "Hang halfway down / Rest on the ground / Float at the top",
        (
            Step(
                "How is the block with the question mark marked?",
                "With spots / With stripes / Not at all",
                (
                    "How many blocks are in the tank? = Seven",
                    "Which block is the largest at the left? = The red one",
                ),
                (
                    "What colour is the block with the question mark? = Red",
                    "How large is the block with the question mark? = Middling",
                ),
            ),
            Step(
                "Where are the other blocks with these marks?",
                "Halfway down / On the ground / At the top",
                (
                    "Where is the large red block without marks? = On the ground",
                    "Where is the small green block with stripes? = At the top",
                    "How large is the blue block on the ground? = Middling",
                ),
                (
                    "Where is the other red block, the one with stripes? = At the top",
                    "Where is the block that is nearest to it in size? = On the ground",
                ),
            ),
        ),
    ),
    Chain(
        "relationship-001",
        "Relationship",
        pictures.family,
        "What is Karl to Tom?",
        "His uncle / His cousin / His nephew / His grandfather",
        (
            Step(
                "Who is Tom's mother?",
                "Eva / Ada / Mia / Rosa",
                (
                    "What does Tom wear on his head? = A cap",
                    "Who stands at the far right? = Mia",
                ),
                (
                    "Who is Tom's father? = Ben",
                    "Whom has Karl married? = Mia",
                ),
            ),
            Step(
                "Who are her brothers and sisters?",
                "Ada and Karl / Ben and Mia / Leo and Ida / Only Karl",
                (
                    "Who wears a beard? = Ben",
                    "What colour are Ida's clothes? = Yellow",
                    "Who in the middle row is not married? = Ada",
                ),
                (
                    "How many brothers and sisters has Tom? = None",
                    "Who are Mia's children? = Leo and Ida",
                ),
            ),
        ),
    ),
    Chain(
        "relationship-002",
        "Relationship",
        pictures.web,
        "Which animal has nothing left to eat if all the mice are gone?",
        "The fox / The owl / The hawk / The hedgehog",
        (
            Step(
                "Which animals do arrows from the mice lead to?",
                "Owl, fox and hawk / Fox and hedgehog / Sparrows, beetles and owl",
                (
                    "How many animals are in the top row? = Four",
                    "How many plants are in the bottom row? = Three",
                ),
                (
                    "What do the mice themselves eat? = Grass",
                    "What do the beetles eat? = Leaves",
                ),
            ),
            Step(
                "What else does the owl eat?",
                "Sparrows / Beetles / Nothing else",
                (
                    "Which animal is at the right of the top row? = The hedgehog",
                    "What colour are the plants? = Green",
                ),
                (
                    "Which other animals eat grass? = The sparrows",
                    "Does any other animal eat leaves? = No",
                ),
            ),
            Step(
                "What else does the hawk eat?",
                "Beetles / Sparrows / Nothing else",
                (
                    "Which way do most arrows point? = Upwards",
                    "Who eats leaves? = The beetles",
                    "What shape are the plants' boxes? = Ovals",
                ),
                (
                    "What else do the sparrows eat? = Seeds",
                    "What does the hedgehog eat? = Beetles",
                ),
            ),
        ),
    ),
)
