"""Answers to step 1 as people and models word them: (why it is here, text, the three pictures).

``-`` is unread, ``?`` contradicts itself.
"""

TWO_DOGS = "two|dog|walking two|dog|running three|cat|walking"
"""What most of these say."""

CASES: list[tuple[str, str, str]] = [
    ("the asked form", "Image 1: two dogs walking\nImage 2: two dogs running\nImage 3: three cats walking", TWO_DOGS),
    ("the file's form", "Image 1: two dogs walking. Image 2: two dogs running. Image 3: three cats walking",
    TWO_DOGS),
    ("digits", "Image 1: 2 dogs walking\nImage 2: 2 dogs running\nImage 3: 3 cats walking", TWO_DOGS),
    ("words for the picture", "Image one: two dogs walking. Image two: two dogs running. Image three: three cats "
                              "walking",
     TWO_DOGS),
    ("prose", "In the first image, there are two dogs walking. In the second image, two dogs are running. The third "
              "image "
     "shows three cats that are walking.", TWO_DOGS),
    ("short ordinals", "1st image: two dogs walking; 2nd image: two dogs running; 3rd image: three cats walking",
    TWO_DOGS),
    ("ordinals alone", "First: two dogs walking\nSecond: two dogs running\nThird: three cats walking", TWO_DOGS),
    ("the first shows", "The first shows two dogs walking, the second shows two dogs running and the third shows "
                        "three cats "
     "walking.", TWO_DOGS),
    ("picture", "Picture 1 - two dogs walking\nPicture 2 - two dogs running\nPicture 3 - three cats walking",
    TWO_DOGS),
    ("Img", "Img 1: two dogs walking; Img 2: two dogs running; Img 3: three cats walking", TWO_DOGS),
    ("panel", "Panel 1: two dogs walking. Panel 2: two dogs running. Panel 3: three cats walking.", TWO_DOGS),
    ("left, middle, right", "Left: two dogs walking\nMiddle: two dogs running\nRight: three cats walking", TWO_DOGS),
    ("the left image", "The left image shows two dogs walking, the middle image two dogs running, and the right "
                       "image three "
     "cats walking.", TWO_DOGS),
    ("corners of a collage", "Top left: two dogs walking\nTop right: two dogs running\nBottom left: three cats "
                             "walking",
     TWO_DOGS),
    ("out of order", "Image 3: three cats walking\nImage 1: two dogs walking\nImage 2: two dogs running", TWO_DOGS),
    ("named after", "Two dogs are walking in the first image, two dogs are running in the second image, and three "
                    "cats are "
     "walking in the third image.", TWO_DOGS),
    ("numbered list", "1. Two dogs walking\n2. Two dogs running\n3. Three cats walking", TWO_DOGS),
    ("numbered list with brackets", "1) 2 dogs walking\n2) 2 dogs running\n3) 3 cats walking", TWO_DOGS),
    ("lines alone", "two dogs walking\ntwo dogs running\nthree cats walking", TWO_DOGS),
    ("one sentence, unnamed", "Two dogs walking, two dogs running, and three cats walking.", TWO_DOGS),
    ("sentences, unnamed", "Two dogs are walking. Two dogs are running. Three cats are walking.", TWO_DOGS),
    ("preamble and list", "The three images show:\n\n1. Two dogs walking.\n2. Two dogs running.\n3. Three cats "
                          "walking.",
     TWO_DOGS),
    ("bold", "**Image 1:** Two dogs walking.\n\n**Image 2:** Two dogs running.\n\n**Image 3:** Three cats walking.",
     TWO_DOGS),
    ("headings", "### Image 1\nTwo dogs are walking.\n### Image 2\nTwo dogs are running.\n### Image 3\nThree cats "
                 "are "
     "walking.", TWO_DOGS),
    ("labels under headings", "**Image 1:**\n- Number: 2\n- Subject: Dogs\n- Action: Walking\n\n**Image 2:**\n- "
                              "Number: 2\n"
     "- Subject: Dogs\n- Action: Running\n\n**Image 3:**\n- Number: 3\n- Subject: Cats\n- Action: Walking", TWO_DOGS),
    ("labels on one line", "Image 1: number = two, subject = dogs, action = walking\nImage 2: number = two, subject "
                           "= dogs, "
     "action = running\nImage 3: number = three, subject = cats, action = walking", TWO_DOGS),
    ("table", "| Image | Number | Subject | Action |\n|---|---|---|---|\n| 1 | Two | Dogs | Walking |\n| 2 | Two | "
              "Dogs | "
     "Running |\n| 3 | Three | Cats | Walking |", TWO_DOGS),
    ("table, images named", "| | Number of Subjects | Subject Type | Action |\n|:-:|:-:|:-:|:-:|\n| Image 1 | 2 | "
                            "dog | "
     "walking |\n| Image 2 | 2 | dog | running |\n| Image 3 | 3 | cat | walking |", TWO_DOGS),
    ("table turned", "| Property | Image 1 | Image 2 | Image 3 |\n|---|---|---|---|\n| Number | 2 | 2 | 3 |\n| "
                     "Subject | dogs "
     "| dogs | cats |\n| Action | walking | running | walking |", TWO_DOGS),
    ("JSON list", '[{"number": "two", "subject": "dogs", "action": "walking"}, {"number": "two", "subject": "dogs", '
     '"action": "running"}, {"number": "three", "subject": "cats", "action": "walking"}]', TWO_DOGS),
    ("JSON list with image", '[{"image": 1, "number": 2, "subject": "dogs", "action": "walking"}, {"image": 2, '
                             '"number": 2, '
     '"subject": "dogs", "action": "running"}, {"image": 3, "number": 3, "subject": "cats", "action": "walking"}]',
     TWO_DOGS),
    ("JSON by image", '```json\n{\n "image_1": {"number": 2, "subject": "dogs", "action": "walking"},\n "image_2": '
                      '{"number": '
     '2, "subject": "dogs", "action": "running"},\n "image_3": {"number": 3, "subject": "cats", "action": '
     '"walking"}\n}\n```',
     TWO_DOGS),
    ("JSON of sentences", '{"Image 1": "two dogs walking", "Image 2": "two dogs running", "Image 3": "three cats '
                          'walking"}',
     TWO_DOGS),
    ("JSON of lists", '{"number": ["two", "two", "three"], "subject": ["dogs", "dogs", "cats"], "action": '
                      '["walking", '
     '"running", "walking"]}', TWO_DOGS),
    ("full-width", "Ｉｍａｇｅ　１：two dogs walking\n"
     "Image ２：２ dogs running\nImage ３：３ cats walking", TWO_DOGS),
    ("CRLF", "Image 1: two dogs walking\r\nImage 2: two dogs running\r\nImage 3: three cats walking\r\n", TWO_DOGS),
    ("reasoning", "<think>Image 1: four cats</think>Image 1: two dogs walking\nImage 2: two dogs running\nImage 3: "
                  "three cats "
     "walking", TWO_DOGS),
    ("unclosed reasoning", "<think>Image 1: two dogs walking\nImage 2: two dogs running", "-|-|- -|-|- -|-|-"),
    ("hash numbers", "Image #1: two dogs walking\nImage #2: two dogs running\nImage #3: three cats walking",
    TWO_DOGS),
    ("images 1 and 2 together", "Images 1 and 2 both show two dogs. In image 1 they are walking, in image 2 they "
                                "are running. "
     "Image 3 shows three cats walking.", TWO_DOGS),
    ("all three share", "All three images show two dogs. Image 1: walking. Image 2: running. Image 3: jumping.",
     "two|dog|walking two|dog|running two|dog|jumping"),
    ("only two told", "Image 1: two dogs walking. Image 3: three cats walking.", "two|dog|walking -|-|- "
    "three|cat|walking"),
    ("only one line of three is no order", "two dogs walking", "-|-|- -|-|- -|-|-"),
    ("a and an", "Image 1: a dog walking. Image 2: an elderly man reading. Image 3: a single ape typing.",
     "one|dog|walking one|senior man|reading one|monkey|typing"),
    ("pairs and trios", "Image 1: a pair of wolves running. Image 2: a trio of foxes eating. Image 3: a couple of "
                        "bears "
     "swimming.", "two|wolf|running three|fox|eating food two|bear|swimming"),
    ("young people", "Image 1: two young boys playing football. Image 2: three little girls writing. Image 3: four "
                     "young "
     "women jogging.", "two|male child|playing soccer three|female child|writing four|woman|running"),
    ("old people", "Image 1: two older gentlemen reading. Image 2: three grandmothers typing. Image 3: an old lady "
                   "carrying "
     "bags.", "two|senior man|reading three|senior woman|typing one|senior woman|carrying something"),
    ("irregular plurals", "Image 1: four men digging. Image 2: three women ice skating. Image 3: two mice eating.",
     "four|man|digging a hole three|woman|ice-skating two|hamster|eating food"),
    ("objects are not subjects", "Image 1: a man walking two dogs. Image 2: a girl reading a book about foxes. "
                                 "Image 3: a boy "
     "carrying a teddy bear.", "one|man|walking one|female child|reading one|male child|carrying something"),
    ("parts of a group", "Image 1: Two dogs walking, one black and one white. Image 2: Three cats: two of them big, "
                         "running. "
     "Image 3: four foxes, each one eating.", "two|dog|walking three|cat|running four|fox|eating food"),
    ("two subjects", "Image 1: a man and a woman walking. Image 2: a dog and a cat running. Image 3: two bears and "
                     "a fox "
     "eating.", "?|?|walking ?|?|running ?|?|eating food"),
    ("two actions", "Image 1: two men, one writing and the other reading. Image 2: a dog swimming. Image 3: a cat "
                    "running and "
     "jumping.", "two|man|? one|dog|swimming one|cat|?"),
    ("no count", "Image 1: dogs walking. Image 2: a group of dogs running. Image 3: several cats walking.",
     "-|dog|walking group|dog|running several|cat|walking"),
    ("outside the lists", "Image 1: five dogs walking. Image 2: two squirrels running. Image 3: two dogs sleeping.",
     "five|dog|walking two|squirrel|running two|dog|sleeping"),
    ("negation", "Image 1: not two but three dogs walking. Image 2: no dogs, two cats running. Image 3: two cats "
                 "not walking "
     "but swimming.", "three|dog|walking two|cat|running two|cat|swimming"),
    ("compared", "Image 1: two dogs walking. Image 2: two dogs running, unlike the walking dogs in image 1. Image "
                 "3: three "
     "cats, walking like the dogs in image 1.", TWO_DOGS),
    ("where they stand", "Image 1 shows two cats with hats sitting at a desk and typing on laptops. Image 2 shows a "
                         "bear on an "
     "ice rink, ice-skating. Image 3 shows three monkeys in a red car, driving.",
     "two|cat|typing one|bear|ice-skating three|monkey|driving a car"),
    ("compounds", "Image 1: a man with a walking stick reading. Image 2: two girls in running shoes jumping. Image "
                  "3: a dog "
     "eating a hot dog.", "one|man|reading two|female child|jumping one|dog|eating food"),
    ("refusal", "I'm sorry, but I can't make out the images.", "-|-|- -|-|- -|-|-"),
    ("refusal of one", "Image 1: I can't identify it. Image 2: two dogs running. Image 3: three cats walking.",
     "-|-|- two|dog|running three|cat|walking"),
    ("contradiction", "Image 1: two dogs walking. Image 1: three dogs walking. Image 2: a cat. Image 3: a fox.",
     "?|dog|walking one|cat|- one|fox|-"),
    ("finite verbs", "Image 1: A dog walks. Image 2: Two men drive a car. Image 3: Three girls read books.",
     "one|dog|walking two|man|driving a car three|female child|reading"),
    ("nouns that look like verbs", "Image 1: Two subjects of the same type. Image 2: A man on his walk home "
                                   "reading. Image 3: "
     "two cats", "two|-|- one|man|reading two|cat|-"),
]  # fmt: skip
