#!/usr/bin/env python3
"""Writes six models of how a copied keyring heals: `healing.py FOLDER`.

They differ in the messages that the attacker misses, and so in their verdicts. See MODELS.
"""
import sys

# Name, claim, messages that the attacker misses, messages that he cannot read, and whether a guess of oB1
# is asked about.
MODELS = [
    ("both-missed", "A copied keyring heals when the attacker misses two messages with new next keys, one in "
     "each\n   direction.", "g1 f2", "g1 f2 g2 f3", False),
    ("f2-missed", "A copied keyring heals in both directions when the attacker misses the only message that "
     "carries\n   a new next key of the copied side.", "f2", "f2 g2 f3", False),
    ("g1-missed", "A copied keyring heals in both directions when the attacker misses the only message that "
     "carries\n   a new next key of the other side.", "g1", "g1 f2 g2 f3", False),
    ("none-missed", "LIMIT: an attacker who copied a keyring and misses no message can read all that follow.",
     "", "", False),
    ("old-missed", "LIMIT: a missed message heals nothing if its next key was drawn before the copy.",
     "f1", "f1", False),
    ("searched", "LIMIT: the attacker can search for a next key that he missed (69.7 bits, without scrypt). "
     "weaksecret\n   asks whether a guess of oB1 can be checked, not what the search costs.",
     "g1", "g1 f2 g2 f3", True),
]

TEMPLATE = """\
(* {claim}
   A's keyring is copied while its offer oA0 is out and oB0, learned from B, is pending. The attacker
   knows all of that. All messages arrive unaltered (private channels p1 to p5). The attacker sees a
   copy of each, except of: {exceptions}.
   f1 mixes oB0 and offers oA0; g1 mixes oA0 and offers oB1; f2 mixes oB1 and offers oA1; g2 mixes oA1
   and offers oB2; f3 mixes oB2. (f: A to B, g: B to A. oB1, oA1, oB2 and oA2 are drawn after the copy,
   and each is sent in one message only.) *)
(* with primitives *)

free R0, C0, S0, D0, oA0, oB0: bitstring. (* the copy *)
free p1, p2, p3, p4, p5: channel [private].
free tf1, tg1, tf2, tg2, tf3: bitstring [private].
free oB1: bitstring [private].
event Acc(bitstring).
{weaksecret}
query attacker(tf1). query attacker(tg1). query attacker(tf2). query attacker(tg2).
query attacker(tf3).
(* sanity *)
query event(Acc(tg2)).
query event(Acc(tf3)).
let A =
  let k1 = mixed(R0, oB0) in let R1 = startroot(k1) in let C1 = startchain(k1) in
  let c = enc(mkey(C1), (tf1, oA0)) in {f1}out(p1, c);
  let k2 = mixed(S0, oA0) in let S1 = startroot(k2) in let D1 = startchain(k2) in
  in(p2, g1: bitstring); let (t1: bitstring, nB1: bitstring) = dec(mkey(D1), g1) in event Acc(t1);
  let k3 = mixed(R1, nB1) in let R2 = startroot(k3) in let C2 = startchain(k3) in
  new oA1: bitstring; let c = enc(mkey(C2), (tf2, oA1)) in {f2}out(p3, c);
  let k4 = mixed(S1, oA1) in let S2 = startroot(k4) in let D2 = startchain(k4) in
  in(p4, g2: bitstring); let (t2: bitstring, nB2: bitstring) = dec(mkey(D2), g2) in event Acc(t2);
  let k5 = mixed(R2, nB2) in let C3 = startchain(k5) in
  new oA2: bitstring; let c = enc(mkey(C3), (tf3, oA2)) in {f3}out(p5, c).
let B =
  let k1 = mixed(R0, oB0) in let R1 = startroot(k1) in let C1 = startchain(k1) in
  in(p1, f1: bitstring); let (t1: bitstring, nA0: bitstring) = dec(mkey(C1), f1) in event Acc(t1);
  let k2 = mixed(S0, nA0) in let S1 = startroot(k2) in let D1 = startchain(k2) in
  let c = enc(mkey(D1), (tg1, oB1)) in {g1}out(p2, c);
  let k3 = mixed(R1, oB1) in let R2 = startroot(k3) in let C2 = startchain(k3) in
  in(p3, f2: bitstring); let (t2: bitstring, nA1: bitstring) = dec(mkey(C2), f2) in event Acc(t2);
  let k4 = mixed(S1, nA1) in let S2 = startroot(k4) in let D2 = startchain(k4) in
  new oB2: bitstring; let c = enc(mkey(D2), (tg2, oB2)) in {g2}out(p4, c);
  let k5 = mixed(R2, oB2) in let C3 = startchain(k5) in
  in(p5, f3: bitstring); let (t3: bitstring, nA2: bitstring) = dec(mkey(C3), f3) in event Acc(t3).
process A | B

(* Verdicts
{verdicts}
false    sanity
false    sanity
*)
"""

for name, claim, missed, closed, is_searched in MODELS:
    messages = ["f1", "g1", "f2", "g2", "f3"]
    verdicts = [f"true     {message} is not read" if message in closed.split()
                else f"false    {message} is read" for message in messages]
    if is_searched:
        verdicts.insert(0, "false    a guess of oB1 can be checked")
    fields = {message: "" if message in missed.split() else "out(net, c); " for message in messages}
    with open(f"{sys.argv[1]}/healing-{name}.pv", "w", encoding="utf-8") as file:
        file.write(TEMPLATE.format(
            claim=claim, exceptions=missed.replace(" ", ", ") or "none", verdicts="\n".join(verdicts),
            weaksecret="weaksecret oB1." if is_searched else "", **fields))
