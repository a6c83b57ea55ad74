"""V-REX's Navigation: maps, programs' windows, traffic, trends."""

from __future__ import annotations

from typing import Final

from core.making import vrex_navigation_pictures as pictures
from core.making.chains import Chain, Step

CHAINS: Final[tuple[Chain, ...]] = (
    Chain(
        "map-001",
        "Map",
        pictures.treasure,
        "What stands in the square where the note says to dig?",
        "A flower / A bench / A house / A statue",
        (
            Step(
                "At which thing does the note start?",
                "The tent / The bucket / The house",
                (
                    "How many lines has the text of the note? = Five",
                    "How many columns has the grid? = Six",
                ),
                (
                    "In which square is the bucket? = B5",
                    "In which square is the boat? = F6",
                ),
            ),
            Step(
                "In which square is it?",
                "B2 / B5 / A3 / E2",
                (
                    "In which square is the statue? = F4",
                    "What colour is the north needle? = Red",
                ),
                (
                    "What stands three squares east of the bucket? = A bench",
                    "What stands two squares north of the boat? = A statue",
                ),
            ),
            Step(
                "Which square is reached after going east?",
                "E2 / B5 / D2 / F2",
                (
                    "Which square lies one west of the rock? = C3",
                    "In which square is the fir? = C1",
                    "What is in D3? = A rock",
                ),
                (
                    "What stands one square west of the boat? = Nothing",
                    "In which square is the statue? = F4",
                ),
            ),
        ),
    ),
    Chain(
        "map-002",
        "Map",
        pictures.metro,
        "Where does one change for the last time from Harbour to Museum?",
        "Castle / Market / Tower / Spring",
        (
            Step(
                "On which line is Harbour?",
                "The blue line / The red line / The green line",
                (
                    "How many lines are there? = Four",
                    "On which line is the Zoo? = The red line",
                ),
                (
                    "Which line ends at Garden? = The orange line",
                    "Which station is at the left end of the green line? = Mill",
                ),
            ),
            Step(
                "On which line is Museum?",
                "The green line / The orange line / The blue line",
                (
                    "Which line ends at Garden? = The orange line",
                    "How many stations has the blue line? = Five",
                ),
                (
                    "Where does the orange line cross the blue line? = At Tower",
                    "Which station comes after Mill? = Spring",
                ),
            ),
            Step(
                "Which line crosses both of these lines?",
                "The red line / The orange line / None of them",
                (
                    "Where does the orange line cross the blue line? = At Tower",
                    "Which station is the lowest on the map? = Bridge",
                    "Where is the key of the map? = At the bottom",
                ),
                (
                    "Which station comes after Tower on the blue line? = Airport",
                    "How many stations lie between Mill and Castle? = One",
                ),
            ),
            Step(
                "Where does one leave the line on which one started?",
                "At Market / At Tower / At Theatre",
                (
                    "Which stations lie left of Castle? = Mill and Spring",
                    "How many lines stop at Airport? = One",
                ),
                (
                    "Which line would one take to get from Tower to Garden? = The orange line",
                    "Which station lies below Castle? = Bridge",
                ),
            ),
        ),
    ),
    Chain(
        "gui-001",
        "GUI",
        pictures.form,
        "What must be done before the Send button works?",
        "Write in the town / Write in the phone / Tick the news box / Tick the rules box",
        (
            Step(
                "What does the star mean?",
                "That it must be filled in / That it is kept secret / That it was filled in wrongly",
                (
                    "What is the window's title? = Join the library",
                    "How many buttons are at the foot? = Two",
                ),
                (
                    "What does the lower of the two boxes offer? = News by e-mail",
                    "In which month is the birthday? = March",
                ),
            ),
            Step(
                "Which lines have nothing written in them?",
                "Phone and town / Only the phone / Birthday and town / Name and e-mail",
                (
                    "Which month is the birthday in? = March",
                    "How many round buttons are at the top of the window? = Three",
                ),
                (
                    "Is the box for the news ticked? = No",
                    "In which year is the birthday? = 2001",
                ),
            ),
            Step(
                "Which starred box is ticked already?",
                "The one for the rules / The one for the news / Neither of the two",
                (
                    "How many boxes can be ticked? = Two",
                    "Which button is beside Send? = Cancel",
                    "How many lines for writing does the form have? = Five",
                ),
                (
                    "To which address would the news be sent? = nora@field.example",
                    "Which line for writing is the last one? = The birthday",
                ),
            ),
        ),
    ),
    Chain(
        "gui-002",
        "GUI",
        pictures.layers,
        "What disappears if the mouse is now dragged over the whole picture?",
        "The clouds / The house / The flowers / The tree",
        (
            Step(
                "Which tool has been chosen?",
                "Rub out / Draw / Cut out / Fill in",
                (
                    "How many clouds are in the picture? = Three",
                    "What is the window's title? = Paint",
                ),
                (
                    "How many layers are in the list? = Five",
                    "Which tool is at the bottom? = Fill",
                ),
            ),
            Step(
                "Which layer has been chosen?",
                "Clouds / House / Flowers / Trees",
                (
                    "Which tool is at the bottom? = Fill",
                    "How many flowers are in the picture? = Three",
                    "Where is the tree? = On the right",
                ),
                (
                    "Which layer is the last one in the list? = Ground",
                    "What does the lowest tool's picture show? = A bucket",
                ),
            ),
        ),
    ),
    Chain(
        "traffic-001",
        "Traffic",
        pictures.closed_road,
        "Which way can the red car drive on at the crossing?",
        "Left / Right / Straight on",
        (
            Step(
                "What stands on the road straight ahead of it?",
                "A barrier / A bus / A traffic light",
                (
                    "How many houses can be seen? = One",
                    "What colour is the bus? = Blue",
                ),
                (
                    "Which way is the bus going? = To the left",
                    "On which side of the crossing is the yellow car? = On the right",
                ),
            ),
            Step(
                "What does the round sign mean for the road it points to?",
                "No entry / One may park / Drive slowly",
                (
                    "What colour is the bar in the round sign? = White",
                    "Is the road wet? = No",
                ),
                (
                    "What colour is the bus on the left road? = Blue",
                    "Which way is the yellow car going? = To the left",
                ),
            ),
        ),
    ),
    Chain(
        "traffic-002",
        "Traffic",
        pictures.priority,
        "Which vehicle goes over the crossing first?",
        "The yellow car / The red car / The blue car / The bus",
        (
            Step(
                "Which sign does the red car have?",
                "A red triangle / STOP / A yellow diamond",
                (
                    "How many cars are there? = Three",
                    "What colour is the bus? = Green",
                ),
                (
                    "From where does the bus come? = From the right",
                    "How many vehicles are waiting? = Four",
                ),
            ),
            Step(
                "Which sign does the blue car have?",
                "STOP / A red triangle / A yellow diamond",
                (
                    "What shape is the sign with a word on it? = It has eight sides",
                    "From where does the bus come? = From the right",
                ),
                (
                    "From where does the red car come? = From the left",
                    "How many of the vehicles are cars? = Three",
                ),
            ),
            Step(
                "Which sign does the bus have?",
                "A red triangle / STOP / A yellow diamond",
                (
                    "How many signs are at the crossing? = Four",
                    "What colour are the dashes on the road? = White",
                    "How many lanes has each road? = Two",
                ),
                (
                    "From where does the blue car come? = From the top",
                    "Which of the vehicles is the longest? = The bus",
                ),
            ),
        ),
    ),
    Chain(
        "trend-001",
        "Trend",
        pictures.shops,
        "In which month does Hill Bakery first sell more than Lake Bakery?",
        "June / March / April / May",
        (
            Step(
                "Which line is Hill Bakery's?",
                "The blue one / The red one / The grey one",
                (
                    "How many months are shown? = Eight",
                    "Which line hardly changes? = The grey one",
                ),
                (
                    "Which line is Corner Bakery's? = The grey one",
                    "What does the upright axis count? = Loaves sold a day",
                ),
            ),
            Step(
                "Which line is Lake Bakery's?",
                "The red one / The blue one / The grey one",
                (
                    "Which month comes last? = August",
                    "How many lines are there? = Three",
                ),
                (
                    "In which month does Corner Bakery sell the most? = April",
                    "Which is the highest number on the upright axis? = 60",
                ),
            ),
        ),
    ),
    Chain(
        "trend-002",
        "Trend",
        pictures.reservoir,
        "If it goes on like this, in which week is the red line reached?",
        "Week 7 / Week 8 / Week 9 / Week 10",
        (
            Step(
                "How full is the lake in the first week?",
                "90 / 100 / 80 / 85",
                (
                    "What colour are the bars? = Blue",
                    "What is measured? = The water in the lake",
                ),
                (
                    "How many weeks does the axis name? = Nine",
                    "Which words are written above the red line? = Pumps stop below this line",
                ),
            ),
            Step(
                "How full is the lake in the last week with a bar?",
                "60 / 70 / 50 / 55",
                (
                    "How many bars are there? = Four",
                    "Which is the highest number on the upright axis of the chart? = 100",
                ),
                (
                    "How many of the weeks have no bar? = Five",
                    "What do the pumps do when the water is low? = They stop",
                ),
            ),
            Step(
                "By how much does it fall from week to week?",
                "By 10 / By 5 / By 15 / By 20",
                (
                    "Which week has the tallest bar? = The first",
                    "Is there a bar for week 9? = No",
                    "What colour is the writing below? = Black",
                ),
                (
                    "Which week is in the middle of the axis? = Week 5",
                    "What colour is the line across the bars? = Red",
                ),
            ),
            Step(
                "How full is the lake at the red line?",
                "30 / 40 / 20 / 35",
                (
                    "What happens to the pumps? = They stop",
                    "How full was it in week 2? = 80",
                ),
                (
                    "Which week is the last one on the axis? = Week 9",
                    "What colour are the bars? = Blue",
                ),
            ),
        ),
    ),
)
