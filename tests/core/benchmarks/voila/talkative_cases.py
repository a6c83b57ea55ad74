"""Longer answers, the way chat models give them: (step, why it is here, text, what is read)."""

CASES: list[tuple[str, str, str, str]] = [
    # -- describe
    ("describe", "with scenery", "Image 1: The image shows two brown dogs walking along a path in a sunny park. The "
                                 "dogs look "
     "happy, and there are trees in the background.\n\nImage 2: Two dogs are running across a field, kicking up "
     "dust.\n\nImage 3: "
     "Three fluffy cats walking in a row on a city street, with a car parked behind them.",
     "two|dog|walking two|dog|running three|cat|walking"),
    ("describe", "clothes and props", "**Image 1**: A young girl wearing a red coat is ice skating on a frozen "
                                      "lake.\n**Image 2**: An "
     "elderly man with a white beard and glasses is reading a book in an armchair.\n**Image 3**: Two monkeys "
     "dressed in suits are "
     "typing on laptops at a desk.", "one|female child|ice-skating one|senior man|reading two|monkey|typing"),
    ("describe", "pronouns", "In the first image there are three women. They are writing in notebooks. In the "
                             "second image there is one "
     "woman, and she is driving a car. In the third image there are four bears; they're eating fish from a river.",
     "three|woman|writing one|woman|driving a car four|bear|eating food"),
    ("describe", "counts in brackets", "1. **Image 1**: Hamsters (2) – carrying something\n2. **Image 2**: Hamsters "
                                       "(2) – walking\n3. "
     "**Image 3**: Cats (4) – carrying something", "two|hamster|carrying something two|hamster|walking "
                                                   "four|cat|carrying something"),
    ("describe", "labelled sentences", "Image 1:\n* Number of subjects: There are two subjects.\n* Type of "
                                       "subjects: The subjects are foxes."
     "\n* Action: The foxes are digging a hole in the ground.\nImage 2:\n* Number of subjects: There is one "
     "subject.\n* Type of subjects: "
     "The subject is a fox.\n* Action: The fox is swimming.\nImage 3:\n* Number of subjects: Three.\n* Type of "
     "subjects: Rabbits.\n* "
     "Action: Jumping over a log.", "two|fox|digging a hole one|fox|swimming three|rabbit|jumping"),
    ("describe", "a collage told by place", "The collage contains three images. The image on the left shows a wolf "
                                            "running. The image in the "
     "middle shows two wolves running. The image on the right shows a bear eating.",
     "one|wolf|running two|wolf|running one|bear|eating food"),
    ("describe", "llava run-on", "The image features three different scenes. In the first scene, there are two men "
                                 "playing soccer on a field. "
     "In the second scene, there is a man driving a car. In the third scene, two women are playing soccer.",
     "two|man|playing soccer one|man|driving a car two|woman|playing soccer"),
    ("describe", "a person with a thing", "Image 1: A woman is carrying a large basket of fruit on her head.\nImage "
                                          "2: A man in a blue shirt is "
     "writing on a whiteboard.\nImage 3: A boy with a backpack is walking to school.",
     "one|woman|carrying something one|man|writing one|male child|walking"),
    ("describe", "hedged counts", "Image 1: There appear to be two cats, sitting in front of computers and "
                                  "typing.\nImage 2: It looks like "
     "there are three cats, each reading a book.\nImage 3: This one shows a single dog, also typing on a keyboard.",
     "two|cat|typing three|cat|reading one|dog|typing"),
    ("describe", "a count of objects", "Image 1: A rabbit carrying three carrots. Image 2: A rabbit eating two "
                                       "carrots. Image 3: Two foxes "
     "reading four books.", "one|rabbit|carrying something one|rabbit|eating food two|fox|reading"),
    ("describe", "the, then a count", "Image 1: The subjects are dogs. There are two of them. They are walking. "
                                      "Image 2: dogs, 2, running. "
     "Image 3: cats, 3, walking.", "two|dog|walking two|dog|running three|cat|walking"),
    ("describe", "a summary at the end", "Image 1: two dogs walking.\nImage 2: two dogs running.\nImage 3: three "
                                         "cats walking.\n\nIn summary, "
     "the images show animals in motion.", "two|dog|walking two|dog|running three|cat|walking"),
    ("describe", "a closing comparison", "Image 1: two dogs walking.\nImage 2: two dogs running.\nImage 3: three "
                                         "cats walking.\n\nThe main "
     "difference between image 1 and image 2 is the action.", "two|dog|walking two|dog|running three|cat|walking"),
    ("describe", "nothing but a caption", "The image is a collage of animals doing various human activities.",
    "-|-|- -|-|- -|-|-"),
    ("describe", "image letters", "Image A: two dogs walking\nImage B: two dogs running\nImage C: three cats walking",
     "two|dog|walking two|dog|running three|cat|walking"),
    ("describe", "playful scenery", "First image: Four women playing football (soccer) in a stadium.\nSecond image: "
                                    "Four senior women playing "
     "soccer on grass.\nThird image: One monkey ice-skating on a rink.",
     "four|woman|playing soccer four|senior woman|playing soccer one|monkey|ice-skating"),
    ("describe", "no verb", "Image 1: two dogs on a beach. Image 2: a cat with a soccer ball. Image 3: three men in "
                            "a car.",
     "two|dog|- one|cat|- three|man|-"),
    ("describe", "male and female", "Image 1: two male children reading. Image 2: one adult male reading. Image 3: "
                                    "three female kids jumping.",
     "two|male child|reading one|man|reading three|female child|jumping"),
    ("describe", "kids of unknown gender", "Image 1: Two children playing soccer. Image 2: Two kids reading. Image "
                                           "3: An elderly person walking.",
     "two|child|playing soccer two|kid|reading one|person|walking"),
    # -- relate
    ("relate", "GPT headings", "### Changes from Image 1 to Image 2:\n\n1. **Number of Subjects**: \n   - **Image "
                               "1**: Two\n   - **Image 2**: Four\n"
     "   - **Change**: The number increased from two to four.\n\n2. **Kind of Subject**:\n   - **Image 1**: Dogs\n  "
     " - **Image 2**: Dogs\n   - "
     "**Change**: No change.\n\n3. **Action**:\n   - **Image 1**: Walking\n   - **Image 2**: Running\n   - "
     "**Change**: The action changed from "
     "walking to running.", "number changed two>four by up; subject same dog>dog; action changed walking>running"),
    ("relate", "the asked lines", "Number: It changed from two to four.\nSubject: It stays the same.\nAction: It "
                                  "changed from walking to running.",
     "number changed two>four; subject same; action changed walking>running"),
    ("relate", "plain chatter", "In the transition from image 1 to image 2, the number of dogs stays the same at "
                                "two, but instead of walking, the "
     "dogs are now running.", "number same two; action changed walking>running"),
    ("relate", "comparing", "Comparing Image 1 with Image 2:\n- The number of subjects remains the same (two).\n- "
                            "The kind of subject changes from "
     "hamsters to cats.\n- The action remains the same (carrying something).",
     "number same two; subject changed hamster>cat; action same carrying something"),
    ("relate", "kind of subject", "The number of subjects stays the same. The kind of subject changes from fox to "
                                  "bear. The action stays the same.",
     "number same; subject changed fox>bear; action same"),
    ("relate", "number stays at", "Number: stays the same at three.\nSubject: changed from bears to women.\nAction: "
                                  "changed from ice-skating to digging "
     "a hole.", "number same three; subject changed bear>woman; action changed ice-skating>digging a hole"),
    ("relate", "there are more", "There are more dogs in image 2. The subject is the same and so is the action.",
     "number changed by up; subject same; action same"),
    ("relate", "so did", "The number changed from one to two, and so did the action, from typing to reading.",
     "number changed one>two; action changed typing>reading"),
    ("relate", "closing summary agrees", "The number stays at two. The subject stays dogs. The action changes from "
                                         "walking to running. Thus, only the "
     "action changes.", "number same two; subject same dog; action changed walking>running"),
    ("relate", "applied to picture 3 at the end", "Number: same. Subject: same. Action: changed from walking to "
                                                  "running. Applying this to image 3, the "
     "three cats walking would change to running.", "number same; subject same; action changed walking>running"),
    ("relate", "sentence of two", "Image 1 shows two men walking, while Image 2 shows two men running. So the "
                                  "number and the subject are the same, and "
     "the action has changed.", "number same two>two; subject same man>man; action changed walking>running"),
    ("relate", "same, same, different", "Same number, same subject, different action.", "number same; subject same; "
    "action changed"),
    ("relate", "quantity words", "The quantity went up from one to two; the species remained foxes; the behavior is "
                                 "unchanged: eating.",
     "number changed one>two by up; subject same fox; action same eating food"),
    ("relate", "yes-no questions", "- Did the number change? No, it is two in both images.\n- Did the subject "
                                   "change? Yes, from cats to dogs.\n- Did the "
     "action change? No.", "number same two; subject changed cat>dog; action same"),
    ("relate", "same in brackets", "Number (same): two\nSubject (changed): dogs to cats\nAction (same): walking",
     "number same two; subject changed dog>cat; action same walking"),
    ("relate.number", "short", "It stays the same.", "number same"),
    ("relate.number", "a sentence", "The number of subjects changed from two to four.", "number changed two>four"),
    ("relate.number", "from to alone", "From two to four", "number changed two>four"),
    ("relate.number", "doubled", "Doubled.", "number changed by x2"),
    ("relate.subject", "they are all dogs", "The subject did not change; both are dogs.", "subject same dog"),
    ("relate.subject", "changed", "Yes, it changed from men to senior men.", "subject changed man>senior man"),
    ("relate.action", "stays", "The action stayed the same: both show reading.", "action same reading"),
    ("relate.action", "arrow", "walking → running", "action changed walking>running"),
    # -- apply
    ("apply", "the asked form in prose", "Based on the observed changes, the fourth image should have:\n\nThe "
                                         "answer is number = four, subject = "
     "senior women, action = driving a car.", "four|senior woman|driving a car"),
    ("apply", "analysis, then bold", "1. **Number**: The number changed from two to four (+2). Image 3 has one, so "
                                     "the fourth image has three.\n2. "
     "**Subject**: The subject stayed the same. Image 3 has cats, so the fourth has cats.\n3. **Action**: walking "
     "to running. Image 3 shows "
     "walking, so the fourth shows running.\n\n**The answer is number = three, subject = cats, action = running**",
     "three|cat|running"),
    ("apply", "hence", "Hence, the fourth image would be of three cats running.", "three|cat|running"),
    ("apply", "would contain", "The fourth image would contain 3 cats, and they would be running.",
    "three|cat|running"),
    ("apply", "to complete the analogy", "To complete the analogy, since image 1 : image 2 changes walking to "
                                         "running, image 3 (three cats walking) "
     "should become three cats running.", "three|cat|running"),
    ("apply", "any explained", "The answer is number = any, subject = dogs, action = walking. The number is any "
                               "because three minus two leaves fewer "
     "than one subject.", "any|dog|walking"),
    ("apply", "any because all differ", "Since the subjects cat, bear and dog are all different, no rule fixes the "
                                        "subject.\nThe answer is number = two, "
     "subject = any, action = typing", "two|any|typing"),
    ("apply", "any with quotes", "The answer is number = \"any\", subject = \"any\", action = \"typing\"",
    "any|any|typing"),
    ("apply", "options recited", "Choose from one, two, three, four. The answer is number = two, subject = dog, "
                                 "action = typing", "two|dog|typing"),
    ("apply", "arithmetic", "3 + (2 - 1) = 4. The answer is number = 4, subject = monkeys, action = eating food",
    "four|monkey|eating food"),
    ("apply", "brackets after", "Fourth image: four monkeys (eating food)", "four|monkey|eating food"),
    ("apply", "colon form of the answer", "Answer: Four Monkeys Eating Food", "four|monkey|eating food"),
    ("apply", "the subject first", "Subject: Monkeys\nNumber of subjects: Four\nAction they perform: Eating food",
    "four|monkey|eating food"),
    ("apply", "three of the three", "The fourth image should depict three senior men reading, just like the three "
                                    "men in image 3 but older.",
     "three|senior man|reading"),
    ("apply", "a relation restated", "number: changes from two to four, so four\nsubject: remains cats\naction: "
                                     "changes from carrying something to walking",
     "four|cat|walking"),
    ("apply", "refuses", "I'm unable to determine the content of the fourth image without seeing it.", "-|-|-"),
    ("apply", "no commitment", "It could be dogs or cats, walking or running.", "-|?|?"),
    ("apply", "asks back", "Could you please provide the images?", "-|-|-"),
    ("apply", "echoes the placeholders", "The answer is number = {number}, subject = {subject}, action = {action}",
    "-|-|-"),
    ("apply", "Qwen short", "number = four, subject = hamsters, action = ice-skating<|im_end|>",
    "four|hamster|ice-skating"),
    ("apply", "a listing of four", "Image 1: two dogs walking\nImage 2: three dogs walking\nImage 3: one cat "
                                   "reading\nImage 4: two cats reading",
     "two|cat|reading"),
    ("apply", "fourth, told twice", "The fourth image will have two cats. The cats will be reading.",
    "two|cat|reading"),
    ("apply", "apply to image 3", "Applying this to image 3, we get two cats reading.", "two|cat|reading"),
    ("apply", "described only the seen ones", "Image 1: two dogs walking\nImage 2: three dogs walking\nImage 3: one "
                                              "cat reading", "-|-|-"),
    # -- found by trying to fool it
    ("describe", "one while the other", "Image 1: Two puppies are in a field; one is walking while the other walks "
                                        "behind. Image 2: "
     "One dog, walking. Image 3: There is one man with a dog on a leash walking.", "two|dog|walking one|dog|walking "
     "one|man|walking"),
    ("describe", "counts of parts", "Image 1: Three people (two men and one woman) walking. Image 2: A family of "
                                    "bears swimming. "
     "Image 3: a bear.", "?|?|walking family|bear|swimming one|bear|-"),
    ("describe", "at the wheel", "Image 1: A cat is sitting at the wheel of a car. Image 2: A dog stands on its "
                                 "hind legs. Image 3: "
     "two rabbits jump over a fence.", "one|cat|driving a car one|dog|- two|rabbit|jumping"),
    ("describe", "each on a line of its own", "Image 1\n2 cats\nplaying soccer\n\nImage 2\n2 cats\nreading\n\nImage "
                                              "3\n1 man\n"
     "playing soccer", "two|cat|playing soccer two|cat|reading one|man|playing soccer"),
    ("relate", "pictures within labelled prose", "The number of subjects increases from one in image 1 to three in "
                                                 "image 2. The kind "
     "of subject changes from a male child to senior women. The action remains writing in both images.",
     "number changed one>three by up; subject changed male child>senior woman; action same writing"),
    ("relate", "nothing except", "Nothing changes except the number, which goes up by one.",
     "number changed by +one; subject same; action same"),
    ("relate", "their action", "The subject changed: the dogs in image 1 have been replaced with cats in image 2. "
                               "The number of "
     "animals (two) and their action (reading) did not change.",
     "number same two; subject changed dog>cat; action same reading"),
    ("relate", "dashes", "number: 2 - 2 (same), subject: cat - dog (changed), action: walking - walking (same)",
     "number same two>two; subject changed cat>dog; action same walking>walking"),
    ("relate.action", "contents around the action", "The action changed from two dogs walking to two dogs running.",
     "action changed walking>running"),
    ("relate.number", "no, then both", "No, the number of subjects did not change. There are two in both images.",
     "number same two"),
    ("apply", "an arrow in a value", "Based on the pattern: number = 2 (same as image 3); subject = dogs; action = "
                                     "walking → running",
     "two|dog|running"),
    ("apply", "JSON under image 4", '{"image 4": {"number": "two", "subject": "dogs", "action": "running"}}',
    "two|dog|running"),
    ("apply", "afterthought", "Final answer: two dogs running. Not three.", "two|dog|running"),
    ("apply", "since in the middle", "The fourth picture would have one woman, since the number goes from two to "
                                     "one. She would be "
     "jumping.", "one|woman|jumping"),
    ("apply", "any with its reason", "Number: any (since 1 - 2 < 1)\nSubject: bears\nAction: typing",
    "any|bear|typing"),
    ("apply", "the picture named last", "Two dogs are walking in the fourth image.", "two|dog|walking"),
    ("apply", "that walk", "the answer is 2 dogs that walk", "two|dog|walking"),
    ("apply", "none is no count", "The answer is number = none, subject = dogs, action = walking",
    "none|dog|walking"),
]  # fmt: skip
