"""V-REX's Guessing: who is responsible, what is meant, where it is, when it is, what it is about."""

from __future__ import annotations

from typing import Final

from core.making import vrex_guessing_pictures as pictures
from core.making.chains import Chain, Step

CHAINS: Final[tuple[Chain, ...]] = (
    Chain(
        "responsibility-001",
        "Responsibility",
        pictures.crash,
        "Who is mainly responsible for the crash?",
        "The blue car's driver / The lorry's driver / The bus driver / The yellow car's driver",
        (
            Step(
                "Which two vehicles have hit each other?",
                "The blue car and the lorry / The bus and the yellow car / The blue car and the bus",
                (
                    "How many vehicles are in the picture? = Four",
                    "What colour is the bus at the crossing's right? = Green",
                ),
                (
                    "Which way does the bus want to go? = To the left",
                    "From where does the yellow car come? = From the top",
                ),
            ),
            Step(
                "What does the blue car's light show?",
                "Red / Green / Amber",
                (
                    "What colour is the lorry's load box? = White",
                    "How many traffic lights are there? = Four",
                    "How many roads meet here? = Four",
                ),
                (
                    "What does the light of the bus show? = Red",
                    "What does the light of the yellow car show? = Green",
                ),
            ),
            Step(
                "What does the lorry's light show?",
                "Green / Red / Amber",
                (
                    "What does the yellow car's light show? = Green",
                    "From which side does the yellow car come? = From the top",
                ),
                (
                    "Has the bus driven past its light? = No",
                    "Has the yellow car reached the crossing? = No",
                ),
            ),
        ),
    ),
    Chain(
        "responsibility-002",
        "Responsibility",
        pictures.paint,
        "Who knocked over the paint pot?",
        "The fox / The monkey / The dog / The cat",
        (
            Step(
                "What colour is the paint that ran out of the pot on its side?",
                "Green / Red / Brown",
                (
                    "How many animals are in the room? = Four",
                    "Where is the door? = At the bottom",
                ),
                (
                    "What colour are the prints that start at the door at the bottom? = Brown",
                    "What colour is the paint in the pot that stands? = Red",
                ),
            ),
            Step(
                "To which corner do prints of this colour lead?",
                "Upper right / Upper left / Lower right / Lower left",
                (
                    "What colour is the paint in the pot that stands? = Red",
                    "Which animal has no prints near it? = The cat",
                    "How many pots are there? = Two",
                ),
                (
                    "To which corner do the prints from the door lead? = Lower right",
                    "To which corner do the red prints lead? = Upper left",
                ),
            ),
        ),
    ),
    Chain(
        "intention-001",
        "Intention",
        pictures.tree_kite,
        "What does the child want to do with the ladder?",
        "Fetch the kite / Pick the apples / Rescue the cat / Hang up a swing",
        (
            Step(
                "What does the string in the child's hand lead to?",
                "A kite / A bird / A basket",
                (
                    "How many apples hang in the tree? = Four",
                    "What stands at the right edge? = A basket",
                ),
                (
                    "What hangs on the right side of the tree? = Apples",
                    "What sits near the top of the tree in the picture? = A bird",
                ),
            ),
            Step(
                "What is at the upper end of the ladder?",
                "The kite / The nest / The apples / A saw",
                (
                    "What colour is the kite? = Pink",
                    "What colour is the basket? = Pale brown",
                    "How many birds are there? = One",
                ),
                (
                    "What stands ready near the right edge? = A basket",
                    "What lies under the bird in the tree? = A nest with eggs",
                ),
            ),
        ),
    ),
    Chain(
        "intention-002",
        "Intention",
        pictures.party,
        "What is the woman about to do?",
        "Bake for a birthday / Write a shopping list / Cook a soup / Pack for a trip",
        (
            Step(
                "What stands on the table beside the bowl?",
                "Flour and eggs / Carrots and fish / Bread and apples",
                (
                    "What is the table made of? = Wood",
                    "What colour is the wall? = Pale violet",
                ),
                (
                    "Which month does the sheet on the wall show? = May",
                    "What does the woman wear? = A dress",
                ),
            ),
            Step(
                "What does the picture in her book show?",
                "A cake / A loaf / A fish",
                (
                    "How many legs of the table can be seen? = Two",
                    "How many eggs are there? = Three",
                ),
                (
                    "Which is the first day on the calendar's sheet? = The 9th",
                    "What colour is her hair? = Black",
                ),
            ),
            Step(
                "What lies ready at the right end of the table?",
                "Candles and a present / A knife and a saucepan / Scissors and paper",
                (
                    "Which page of the book has lines? = The right page",
                    "What colour is the top of the calendar? = Red",
                ),
                (
                    "How many numbers can be read on the calendar's sheet? = Twelve",
                    "How long is the hair of the woman? = Down to her shoulders",
                ),
            ),
        ),
    ),
    Chain(
        "location-001",
        "Location",
        pictures.cabin,
        "Where is this room?",
        "In a submarine / In a lighthouse / In a spaceship / In an aeroplane",
        (
            Step(
                "Which shape do the windows have?",
                "Round / Square / Pointed",
                (
                    "What does the man wear round his neck? = A tie",
                    "What colour is the cup? = Blue",
                ),
                (
                    "How many people are in the room? = One",
                    "What stands on the table at the left? = A cup and a sheet",
                ),
            ),
            Step(
                "What can be seen through them?",
                "Fish / Stars / Clouds / Gulls",
                (
                    "How many windows are there in the wall? = Three",
                    "Does the man have a beard? = A moustache only",
                ),
                (
                    "What does the man wear round his neck? = A tie",
                    "What colour is the cup? = Blue",
                ),
            ),
            Step(
                "What does the dial on the wall measure?",
                "How deep it is / How late it is / How fast it goes / How warm it is",
                (
                    "What colour is the hand of the dial? = Red",
                    "On which side of the windows is the dial? = On the right",
                    "How many people are in the room? = One",
                ),
                (
                    "Which way does the man point with his arm? = To the right",
                    "How many legs of the table can be seen? = Two",
                ),
            ),
        ),
    ),
    Chain(
        "location-002",
        "Location",
        pictures.shop,
        "In what kind of place is the girl?",
        "A bookshop / A library / A classroom / A post office",
        (
            Step(
                "What stands on the shelves?",
                "Books / Boxes / Bottles",
                (
                    "How many shelves are there? = Three",
                    "Where does the girl stand? = In the middle",
                ),
                (
                    "What does the girl wear? = A dress",
                    "What colour is the wall? = Cream",
                ),
            ),
            Step(
                "What is fixed to the edges of the shelves?",
                "Price tags / Letters of the alphabet / Lamps",
                (
                    "How many people can be seen? = One",
                    "What colour is the book on the counter? = Green",
                ),
                (
                    "How does the girl wear her hair? = In bunches",
                    "What colour is the floor? = Brown",
                ),
            ),
            Step(
                "What stands on the counter?",
                "A till / A globe / A stamp and scales / A typewriter",
                (
                    "Which shelf has the most gaps? = The lowest",
                    "On which side of the counter is the book? = On the right",
                    "Which is the dearest price on a tag? = 15.00",
                ),
                (
                    "How tall is the girl against the counter? = About as tall",
                    "What is the counter made of? = Wood",
                ),
            ),
        ),
    ),
    Chain(
        "time-001",
        "Time",
        pictures.season,
        "Which season is it?",
        "Autumn / Spring / Summer / Winter",
        (
            Step(
                "What has happened to the leaves?",
                "They are orange and fall / They are green and thick / They are buds / They are under snow",
                ("How many trees are there? = Two", "What colour is the roof? = Red"),
                (
                    "What does the man hold? = A broom",
                    "How many windows can be seen in the house? = Two",
                    "What stands in the middle? = A house",
                ),
            ),
        ),
    ),
    Chain(
        "time-002",
        "Time",
        pictures.shadow,
        "What time of day is it?",
        "Evening / Early morning / Noon / Midnight",
        (
            Step(
                "To which side of the picture do the shadows fall?",
                "To the left / To the right / To the bottom",
                (
                    "What covers the ground? = Grass",
                    "How many benches are there? = One",
                ),
                (
                    "What colour is the roof of the tower? = Red",
                    "On which side of the tower does the bench stand? = On the right",
                ),
            ),
            Step(
                "Which direction of the compass is on that side?",
                "East / West / North",
                (
                    "Which needle of the compass is red? = The one for north",
                    "Is the door of the tower open? = No",
                ),
                (
                    "What is the round thing in the wall of the tower? = A window",
                    "What runs along below the bench? = A path",
                ),
            ),
            Step(
                "Where must the sun be, then?",
                "In the west / In the east / In the south",
                (
                    "Where does the compass stand in the picture? = At the upper right",
                    "How wide is the path? = Wider than the door",
                ),
                (
                    "What is the door of the tower made of? = Wood",
                    "What is the bench made of? = Wood",
                ),
            ),
        ),
    ),
    Chain(
        "topic-001",
        "Topic",
        pictures.saving,
        "What is the poster about?",
        "Saving water / Washing hands / Fire safety / Healthy food",
        (
            Step(
                "What is crossed out on the left?",
                "A running tap / A burning match / A dirty hand",
                ("How many pictures are on the poster? = Three", "What colour is the cross? = Red"),
                (
                    "What colour is the flower? = Pink",
                    "What colour is the bucket? = Green",
                    "How many clouds are there? = One",
                ),
            ),
            Step(
                "What is the water caught from the cloud used for?",
                "Watering a flower / Washing a car / Filling a bath tub",
                (
                    "What shape has the middle of the flower on the right? = Round",
                    "How large are the drops? = Some large, some small",
                ),
                ("What is the tap's colour? = Grey", "On which side is the flower? = On the right"),
            ),
        ),
    ),
    Chain(
        "topic-002",
        "Topic",
        pictures.growth,
        "Which idea do all four pictures share?",
        "Growth / Repair / Travel / Sharing",
        (
            Step(
                "What becomes of the two coins?",
                "A heap of coins / A single note / A purse full of coins",
                (
                    "What is drawn on the coins? = A stroke",
                    "What colour are the arrows? = Grey",
                    "What does the boy wear on his head? = A cap",
                ),
                ("How many windows has the tower in a row? = Three", "Which way do the arrows point? = To the right"),
            ),
        ),
    ),
)
