"""Replies to questions of yes or no, each with the answer it gives, or why it gives none."""

from __future__ import annotations

NO_ANSWER, TWO, REFUSED = "no_answer", "ambiguous", "refusal"

REPLIES = [
    ("Yes", "Yes"), ("No", "No"), ("yes", "Yes"), ("no", "No"), ("YES.", "Yes"), ("NO!", "No"), ("Yes, both show dogs.", "Yes"), ("No, they differ.", "No"), ("No.", "No"), ("No\n\nThe first shows a dog.", "No"),
    ("[Yes]", "Yes"), ("[No]", "No"), ("(Yes)", "Yes"), ("**Yes**", "Yes"), ("**No**, only one does.", "No"), ("`No`", "No"), ('"Yes"', "Yes"), ("\\boxed{No}", "No"), ("\\boxed{\\text{Yes}}", "Yes"), ("<answer>No</answer>", "No"), ("<b>No</b>", "No"),
    ('{"answer": "yes"}', "Yes"), ("{'answer': 'No'}", "No"), ("answer: no", "No"), ("Answer: Yes", "Yes"), ("ANSWER: [No]", "No"), ("The answer is yes.", "Yes"), ("The answer is no, because they differ.", "No"), ("The correct answer is **Yes**.", "Yes"),
    ("Final answer: no", "No"), ("I would say yes.", "Yes"), ("I'd say no.", "No"), ("I think yes.", "Yes"), ("So yes.", "Yes"), ("Therefore, no.", "No"), ("Definitely yes.", "Yes"), ("My answer is no.", "No"), ("In conclusion, yes.", "Yes"),
    ("Yes, it is a photo of a chapel; a death notice hangs on the wall.", "Yes"), ("Yes, there is no dog.", "Yes"), ("No, yes is what one expects.", "No"), ("Yes. There is nothing else.", "Yes"),
    ("The notice is not clear.", NO_ANSWER), ("Nothing is known.", NO_ANSWER), ("Yesterday it rained.", NO_ANSWER), ("No dogs are visible.", NO_ANSWER), ("There is no dog.", NO_ANSWER), ("No one is here.", NO_ANSWER), ("Both show dogs.", NO_ANSWER),
    ("The answer is not yes.", NO_ANSWER), ("not yes", NO_ANSWER), ("I don't know.", NO_ANSWER), ("", NO_ANSWER), ("Yes or no?", NO_ANSWER), ("Is it yes?", NO_ANSWER), ("There is no answer.", NO_ANSWER), ("Error: rate limited", NO_ANSWER),
    ("Yes and no.", TWO), ("yes and no", TWO), ("Yes/No", TWO), ("Answer: yes or no", TWO), ("Yes. No.", TWO), ("Answer: Yes\nAnswer: No", TWO),
    ("Yes... wait, actually no.", "No"), ("The answer is yes. Actually, no.", "No"), ("Yes. Wait, let me look again. The answer is no.", "No"), ("At first glance the answer is yes. However, looking closer, the answer is no.", "No"),
    ("<think>yes? no?</think>No", "No"), ("<think>yes", NO_ANSWER), ("True", "Yes"), ("False", "No"), ("False.", "No"), ("The statement is true.", "Yes"), ("The statement is false.", "No"), ("Answer: False", "No"), ("It is true that dogs bark.", NO_ANSWER),
    ("是", "Yes"), ("否", "No"), ("是的，两张图都有狗。", "Yes"), ("不是，第二张没有狗。", "No"), ("不是。", "No"), ("对", "Yes"), ("不对", "No"), ("答案是：是", "Yes"), ("答案：否", "No"), ("答案是“是”。", "Yes"), ("正确", "Yes"), ("错误", "No"), ("不正确。", "No"), ("这是一只狗。", NO_ANSWER), ("是不是狗不清楚。", NO_ANSWER),
    ("はい", "Yes"), ("はい、同じです。", "Yes"), ("いいえ、違います。", "No"), ("答えはいいえです。", "No"), ("いいえ", "No"), ("네", "Yes"), ("네, 같습니다.", "Yes"), ("아니요", "No"), ("아니요, 다릅니다.", "No"), ("예", "Yes"), ("정답: 아니요", "No"),
    ("Sí", "Yes"), ("Sí, ambas.", "Yes"), ("No, no lo es.", "No"), ("La respuesta es sí.", "Yes"), ("La respuesta es no.", "No"), ("No se puede ver.", NO_ANSWER), ("Oui, les deux.", "Yes"), ("Non.", "No"), ("La réponse est non.", "No"), ("La réponse est oui.", "Yes"),
    ("Ja, beide.", "Yes"), ("Nein", "No"), ("Die Antwort ist nein.", "No"), ("Die Antwort lautet ja.", "Yes"), ("Да, обе.", "Yes"), ("Нет.", "No"), ("Ответ: да", "Yes"), ("Ответ: нет", "No"), ("نعم", "Yes"), ("لا", "No"), ("हाँ", "Yes"), ("नहीं", "No"), ("Sim, as duas.", "Yes"), ("Não.", "No"), ("Sì, entrambe.", "Yes"),
    ("I'm sorry, I can't help with that.", REFUSED), ("Sorry, I can't make out the second picture.", REFUSED), ("I cannot determine it.", REFUSED), ("抱歉，我无法查看图片。", REFUSED), ("Lo siento, no puedo ver la imagen.", REFUSED),
    ("I'm sorry, the picture is blurry, but the answer is no.", "No"), ("Please answer with Yes or No.\n\nYes", "Yes"), ("The dogs differ, so the answer is no.", "No"), ("Both are outside.\n\nYes", "Yes"), ("Both are outside.\n\n**Answer:** Yes", "Yes"), ("Y", "Yes"), ("N", "No"), ("Answer: N", "No"),
    ("No doubt, yes.", "Yes"), ("No, it is not a dog.", "No"), ("No it is not.", "No"), ("No — only one.", "No"), ("Yes - both", "Yes"), ("yes!!", "Yes"), ("Well, no.", "No"), ("Yes indeed.", "Yes"), ("No way.", NO_ANSWER),
]  # fmt: skip
