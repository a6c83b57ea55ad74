"""Answers to step 2 as people and models word them: (why it is here, text, what is read).

A property is ``same`` or ``changed``, then the values stated with it: ``changed two>four``, ``same dog``, ``changed
by +two``; one that is left out is unread, ``?`` contradicts itself.
"""

TRIPLE = "number changed two>four; subject same dog; action changed walking>running"
"""What many of these say."""
BARE = "number changed; subject same; action changed"

CASES: list[tuple[str, str, str]] = [
    ("the file's form", "Number is changed from two to four. Action is changed from walking to running. Subject "
                        "type remains "
     "constant dogs. ", TRIPLE),
    ("a line each", "Number: changed from two to four.\nSubject: stays the same (dogs).\nAction: changed from "
                    "walking to "
     "running.", TRIPLE),
    ("verdicts alone", "Number: changed\nSubject: same\nAction: changed", BARE),
    ("prose", "The number of subjects changes from two to four, the subject type remains dogs, and the action "
              "changes from "
     "walking to running.", TRIPLE),
    ("while", "The number changed from two to four while the subject stayed the same (dogs), and the action changed "
              "from "
     "walking to running.", TRIPLE),
    ("arrows", "Number: two → four\nSubject: dogs → dogs\nAction: walking → running",
     "number changed two>four; subject same dog>dog; action changed walking>running"),
    ("ASCII arrows", "number: 2 -> 4, subject: same, action: walking => running",
     "number changed two>four; subject same; action changed walking>running"),
    ("LaTeX arrows", "Number: $2 \\rightarrow 4$; Subject: unchanged; Action: $\\text{walking} \\to \\text{running}$",
     "number changed two>four; subject same; action changed walking>running"),
    ("JSON verdicts", '{"number": "changed", "subject": "same", "action": "changed"}', BARE),
    ("JSON flags", '{"number_changed": true, "subject_changed": false, "action_changed": true}', BARE),
    ("JSON of objects", '{"number": {"changed": true, "from": "two", "to": "four"}, "subject": {"changed": false}, '
                        '"action": '
     '{"changed": true, "from": "walking", "to": "running"}}', "number changed two>four; subject same; action "
     "changed "
     "walking>running"),
    ("JSON lists", '{"changed": ["number", "action"], "unchanged": ["subject"]}', BARE),
    ("sections", "**Changed:**\n- Number: from two to four\n- Action: from walking to running\n\n**Unchanged:**\n- "
                 "Subject: "
     "dogs", TRIPLE),
    ("sections in words", "### What changed\n- Number (two to four)\n- Action\n\n### What stayed the same\n- Subject",
     "number changed two>four; subject same; action changed"),
    ("sections in a line", "Changed: number, action. Unchanged: subject.", BARE),
    ("table", "| Property | Image 1 | Image 2 | Change |\n|---|---|---|---|\n| Number | two | four | Changed |\n| "
              "Subject | dogs "
     "| dogs | Same |\n| Action | walking | running | Changed |",
     "number changed two>four; subject same dog>dog; action changed walking>running"),
    ("table, yes and no", "| Property | Changed? |\n|---|---|\n| Number | Yes |\n| Subject | No |\n| Action | Yes "
                          "|", BARE),
    ("table without verdicts", "| | Image 1 | Image 2 |\n|---|---|---|\n| Number | 2 | 4 |\n| Subject | dog | dog "
                               "|\n| Action | "
     "walking | running |", "number changed two>four; subject same dog>dog; action changed walking>running"),
    ("doubled", "The number of subjects doubled. The subject is unchanged. The action is different.",
     "number changed by x2; subject same; action changed"),
    ("increases by two", "The number increases by two; the subject is the same; the action changes to running.",
     "number changed by +two; subject same; action changed >running"),
    ("increase of", "There is an increase of 2 in the number of dogs. No change in subject type. The action changed.",
     "number changed by +two; subject same; action changed"),
    ("one more", "Number: one more. Subject: same. Action: same.", "number changed by +one; subject same; action "
    "same"),
    ("one fewer", "There is one fewer dog. The subject and the action stay the same.",
     "number changed by -one; subject same; action same"),
    ("decreases by one", "The number of subjects decreased by one, from four to three. Everything else is the same.",
     "number changed four>three by -one; subject same; action same"),
    ("halved", "The number was halved, subject unchanged, action unchanged", "number changed by /2; subject same; "
    "action same"),
    ("increased", "The number increased from two to four.", "number changed two>four by up"),
    ("plus sign", "Number: +2\nSubject: no change\nAction: no change", "number changed by +two; subject same; "
    "action same"),
    ("only", "Only the action changed.", "number same; subject same; action changed"),
    ("only, with values", "The only change is the action, which goes from walking to running.",
     "number same; subject same; action changed walking>running"),
    ("except", "Everything stays the same except the action.", "number same; subject same; action changed"),
    ("all but", "All properties remain the same apart from the number and the action.",
     "number changed; subject same; action changed"),
    ("all three", "All three properties changed.", "number changed; subject changed; action changed"),
    ("nothing", "Nothing changed.", "number same; subject same; action same"),
    ("nothing else", "The action changed from walking to running; nothing else changed.",
     "number same; subject same; action changed walking>running"),
    ("the rest", "Number: changed from two to four. The rest is unchanged.",
     "number changed two>four; subject same; action same"),
    ("coordinated", "The number and the subject remain the same, but the action changes from walking to running.",
     "number same; subject same; action changed walking>running"),
    ("coordinated in one breath", "The number of subjects (two) and subject type (dogs) stay constant, while the "
                                  "action changes "
     "from walking to running.", "number same two; subject same dog; action changed walking>running"),
    ("neither nor", "Neither the number nor the subject changed, but the action did not stay the same.",
     "number same; subject same; action changed"),
    ("did not change", "The number did not change. The subject hasn't changed. The action doesn't stay the same.",
     "number same; subject same; action changed"),
    ("no longer", "The action is no longer the same; the number and subject are not different.",
     "number same; subject same; action changed"),
    ("without change", "Number: no change. Subject: no difference. Action: not the same.",
     "number same; subject same; action changed"),
    ("ellipsis", "The action changed but the number and the subject did not.", "number same; subject same; action "
    "changed"),
    ("not the subject", "The action and the number changed, but not the subject.",
     "number changed; subject same; action changed"),
    ("both images", "Both images show two dogs. The action changes from walking to running.",
     "number same two; subject same dog; action changed walking>running"),
    ("in both", "Number: two in both. Subject: dogs in both images. Action: both are walking.",
     "number same two; subject same dog; action same walking"),
    ("still", "There are still two dogs, but they are now running instead of walking.",
     "number same two; subject same dog; action changed walking>running"),
    ("replaced", "The dogs are replaced by cats. The number and action are unchanged.",
     "number same; subject changed dog>cat; action same"),
    ("become", "Two dogs become four cats. The action stays walking.",
     "number changed two>four; subject changed dog>cat; action same walking"),
    ("whole contents", "It changes from two dogs walking to four dogs running.",
     "number changed two>four; subject same dog>dog; action changed walking>running"),
    ("descriptions only", "In image 1 there are two dogs walking. In image 2 there are four dogs running.",
     "number changed two>four; subject same dog>dog; action changed walking>running"),
    ("instead of", "There are four dogs instead of two.", "number changed two>four"),
    ("by picture within a property", "**Number**: Image 1 has two subjects, image 2 has four.\n**Subject**: Both "
                                     "are dogs.\n"
     "**Action**: In image 1 they are walking, while in image 2 they are running.",
     "number changed two>four; subject same dog; action changed walking>running"),
    ("pictures in the other order", "Number: image 2 has four while image 1 has two.", "number changed two>four"),
    ("picture after the value", "Number: two in image 1, four in image 2.", "number changed two>four"),
    ("versus", "Number: 2 vs 4. Action: walking vs. running.", "number changed two>four; action changed "
    "walking>running"),
    ("then", "Number: two, then four", "number changed two>four"),
    ("nested bullets", "- **Number**:\n  - Image 1: two\n  - Image 2: four\n- **Subject**:\n  - Image 1: dogs\n  - "
                       "Image 2: dogs\n"
     "- **Action**:\n  - Image 1: walking\n  - Image 2: running",
     "number changed two>four; subject same dog>dog; action changed walking>running"),
    ("headings", "## Number\nStays the same.\n## Subject\nChanged from dogs to cats.\n## Action\nStays the same.",
     "number same; subject changed dog>cat; action same"),
    ("numbered list", "1. Number: changed from two to four\n2. Subject: stays the same (dogs)\n3. Action: changed "
                      "from walking to "
     "running", TRIPLE),
    ("same first", "Same number (two), same subject (dogs), different actions (walking to running).",
     "number same two; subject same dog; action changed walking>running"),
    ("no change in", "There is no change in the number or the subject. There is a change in the action.",
     "number same; subject same; action changed"),
    ("no change, then change", "No change in number, subject changed from dogs to cats, action unchanged.",
     "number same; subject changed dog>cat; action same"),
    ("status", "Number: Changed (2 → 4)\nSubject: Unchanged (dogs)\nAction: Changed (walking → running)", TRIPLE),
    ("change: none", "Number change: none\nSubject change: yes, from dogs to cats\nAction change: no",
     "number same; subject changed dog>cat; action same"),
    ("full-width", "Number：ｃｈａｎｇｅｄ　ｆｒｏｍ ２ ｔｏ ４", "number changed two>four"),
    ("shouted", "NUMBER: CHANGED FROM TWO TO FOUR", "number changed two>four"),
    ("wrong second value stays wrong", "Number: changed from two to three.", "number changed two>three"),
    ("outside value", "Number: changed from two to six.", "number changed two>six"),
    ("other subject", "Subject: changed from women to senior women.", "subject changed woman>senior woman"),
    ("old men", "The subject changes from old men to boys.", "subject changed senior man>male child"),
    ("picture 3 is not asked", "Number: changed from two to four.\nFrom image 2 to image 3, the number changed from "
                               "four to one.",
     "number changed two>four"),
    ("pairs of pictures", "**Image 1 to Image 2:**\n- Number: same\n- Action: changed\n\n**Image 2 to Image 3:**\n- "
                          "Number: "
     "changed\n- Action: same", "number same; action changed"),
    ("the pictures' names count nothing", "From image 1 to image 2, the number remains the same.", "number same"),
    ("image one", "Between image one and image two the number of subjects stays the same.", "number same"),
    ("contradiction", "The number stays the same. The number changed.", "number ?"),
    ("summary wins", "The number changed? Let me see. The number stays the same.\nIn summary, the number changed "
                     "from two to "
     "four.", "number changed two>four"),
    ("preamble with both verdicts", "Here is what changed and what stayed the same:\n- Number: same\n- Subject: "
                                    "changed\n- Action: "
     "same", "number same; subject changed; action same"),
    ("preamble with one", "Here are the changes from image 1 to image 2:\n\n1. **Number**: No change (two).\n2. "
                          "**Subject**: "
     "Changed from dogs to cats.\n3. **Action**: No change (walking).",
     "number same two; subject changed dog>cat; action same walking"),
    ("reasoning", "<think>The number changed.</think>Number: same", "number same"),
    ("unclosed reasoning", "<think>Number: same", ""),
    ("refusal", "I'm sorry, but I cannot help with that.", ""),
    ("values without verdict", "Number: two", ""),
    ("no word of it", "The images are nice. Someone walks.", ""),
    ("types is no action", "The types of subject are the same and the number is constant.",
    "number same; subject same"),
    ("a to two", "It changed from a dog to two cats.", "number changed one>two; subject changed dog>cat"),
    ("goes from", "The number goes from one to three, the subject goes from man to woman, the action remains typing.",
     "number changed one>three; subject changed man>woman; action same typing"),
    ("unlabelled sequence", "Two dogs → four dogs; walking → running",
     "number changed two>four; subject same dog>dog; action changed walking>running"),
    ("same as", "The number is the same as in image 1. The action is different from image 1.",
    "number same; action changed"),
    ("activity, count", "Count: constant. Species: varies. Activity: constant.", "number same; subject changed; "
    "action same"),
    ("maintained", "The quantity is maintained at two, the type of subject is kept, the activity shifts from "
                   "walking to running.",
     "number same two; subject same; action changed walking>running"),
]  # fmt: skip
