"""Replies that decline to answer, and texts of a machine that are no reply at all."""

from __future__ import annotations

import re
from typing import Final

_MACHINE: Final = re.compile(
    r"\s*(?:\[?error\]?(?::| code| \d{3}|$)|exception\b|traceback \(most|failed to (?:obtain|get|fetch"
    r"|generate|call|connect|parse)|api error|http(?: error)? ?\d{3}|request (?:failed|timed out)|rate"
    r" limit"
    r"|(?:connection|read) (?:error|timed out|timeout)|timeout\b|internal server error|service unavailable"
    r"|bad gateway|too many requests|null$|none$|nan$)",
    re.IGNORECASE,
)
_REFUSING: Final = re.compile(
    r"\b(?:i|we)(?:'m| am| are)? (?:really |truly |very |so |deeply )?(?:sorry|afraid)\b.{0,60}?\b(?:can't"
    r"|cannot|can not|unable|not able|couldn't|don't|won't|but)\b"
    r"|\bsorry,? (?:but )?(?:i|we|this|that|the|there|it)\b.{0,40}?\b(?:can't|cannot|can not|unable|not"
    r" able|couldn't|don't|won't)\b"
    r"|\b(?:i|we) (?:really |simply |honestly )?(?:can't|cannot|can not|couldn't|could not|am unable"
    r" to|'m unable to|am not able to|can neither)"
    r"(?: (?:actually|reliably|directly|currently|confidently|really|definitively))? (?:to )?(?:determine"
    r"|see|view|make out|answer|identify|process|access|help|assist|provide|tell|interpret|analy[sz]e|read"
    r"|open|load|display|comply|discern|choose|select|pick|say|give|decide|recogni[sz]e|look|fulfill"
    r"|continue|complete|respond|any|image|them)"
    r"|\bi (?:do not|don't) have (?:the |any )?(?:ability|access|direct access|images?)\b"
    r"|\bi(?:'m| am) (?:unable|not able) to\b|\b(?:it is|it's) (?:impossible|not possible) to (?:determine"
    r"|tell|say|answer|know|identify)|\b(?:cannot|can't) be determined"
    r"|\bas an ai\b|\bas a (?:large )?language model|\b(?:no|didn't receive (?:any|an)|don't see (?:any|an"
    r"|the)|there is no|there are no|without (?:seeing|the)) images?\b"
    r"|\b(?:please (?:upload|provide|share|attach|resend)) (?:the |an? |your )?(?:image|picture|photo)"
    r"|(?:抱歉|对不起|對不起|很遗憾|很抱歉).{0,30}?(?:无法|不能|無法|没法|看不)|(?:无法|無法"
    r"|不能).{0,12}?(?:确定|判断|看到|识别|回答|辨认|查看|提供|確定|判斷|辨識)"
    r"|(?:申し訳|すみません|ごめん).{0,40}?(?:ません|できない)|(?:判断|特定|回答|確認|お答え)(?:することが"
    r"|することは|は|が)?(?:できません|できかねます)"
    r"|(?:죄송|미안).{0,40}?(?:없|못)|(?:볼|알|답할|판단할|확인할) 수 없"
    r"|\blo siento\b.{0,40}?\bno\b|\bno puedo (?:ver|determinar|responder|identificar|ayudar|distinguir)"
    r"|\bdesculpe\b.{0,40}?\bnão\b|\bnão (?:consigo|posso) (?:ver|determinar|responder|identificar|ajudar)"
    r"|\b(?:désolée?|je regrette)\b.{0,50}?\b(?:ne|pas)\b|\bje ne (?:peux|suis) pas (?:voir|déterminer"
    r"|répondre|identifier|en mesure|aider)"
    r"|\b(?:entschuldigung|tut mir leid|leider)\b.{0,50}?\b(?:nicht|keine?n?)\b|\bich kann (?:das|die"
    r"|den)? ?.{0,30}?nicht (?:erkennen|sehen|bestimmen|beantworten|identifizieren)"
    r"|\bmi dispiace\b.{0,50}?\bnon\b|\bnon (?:riesco|posso) (?:a )?(?:vedere|determinare|rispondere)"
    r"|(?:извините|простите|к сожалению|прошу прощения).{0,50}?(?:не могу|не видно|невозможно|не удал)|я"
    r" не могу (?:определить|увидеть|ответить|видеть|помочь|распознать)"
    r"|(?:آسف|عذر|أعتذر).{0,50}?(?:لا|لم)|لا (?:أستطيع|يمكنني)|(?:क्षमा|माफ़?|खेद).{0,60}?(?:नहीं|असमर्थ)"
    r"|\bxin lỗi\b.{0,40}?\bkhông\b",
    re.IGNORECASE | re.DOTALL,
)


def machine_text(text: str) -> bool:
    """Whether a program's failure stands where a reply should: it never holds an answer."""
    return bool(_MACHINE.match(text))


def refuses(text: str) -> bool:
    """Whether a text without an answer says that it will not or cannot answer."""
    return bool(_REFUSING.search(text))
