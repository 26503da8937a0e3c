#!/usr/bin/env python3
"""Prints a model of the state machine of next keys: `every-order.py DEPTH AHEAD`.

DEPTH sends and receipts on each side in every order, with AHEAD keys passed over at most. What it
claims stands at the head of the model. 3 1 takes ProVerif seconds; 4 0 did not end within 400 s,
nor 4 1 within 15 minutes.
"""
import sys

DEPTH, AHEAD = int(sys.argv[1]), int(sys.argv[2])

HEAD = f"""\
(* Every order of {DEPTH} sends and receipts on each side: texts are secret, each side reads only what the
   other sent to it, and mixes only next keys that the other offered.
   Modelled: M0 to M{AHEAD} and N0 to N{AHEAD} for each receipt; keys passed over are kept for one late
   message; next keys are learned, pending, mixed and offered as in smsenc-protocol(7), Next keys. All
   orders of a side run in parallel, so a key may serve several messages, which is more than the protocol
   allows. Therefore this model proves agreement, and any-number proves "once". The attacker controls the
   network and has no keys. Left out: retired chains. *)
(* with primitives *)

const A, B: bitstring.
event Sent(bitstring, bitstring). event Acc(bitstring, bitstring).
event Offer(bitstring, bitstring). event Mix(bitstring, bitstring). event Late(bitstring).
event M0(bitstring). event M1(bitstring). event N0(bitstring). event N1(bitstring).
query w: bitstring, t: bitstring; event(Sent(w, t)) && attacker(t).
query t: bitstring; event(Acc(A, t)) ==> event(Sent(B, t)).
query t: bitstring; event(Acc(B, t)) ==> event(Sent(A, t)).
query n: bitstring; event(Mix(A, n)) ==> event(Offer(B, n)).
query n: bitstring; event(Mix(B, n)) ==> event(Offer(A, n)).
query w: bitstring, n: bitstring; event(Offer(w, n)) && attacker(n).
(* sanity *)
query event(M0(A)). query event(M1(B)). query event(N0(A)). query event(N1(B)).
query event(Late(A))."""

PROCESS = """\
process
  new root: bitstring; new xA: bitstring; new xB: bitstring; out(net, (xA, xB));
  let kAB = H(root, (L_from, xA)) in let kBA = H(root, (L_from, xB)) in
  ( SA(startroot(kAB), startchain(kAB), startroot(kBA), startchain(kBA))
  | SB(startroot(kBA), startchain(kBA), startroot(kAB), startchain(kAB)) )

(* Verdicts
true     secrecy
true     A reads only what B sent
true     B reads only what A sent
true     A mixes only what B offered
true     B mixes only what A offered
true     next keys are secret
false    sanity
false    sanity
false    sanity
false    sanity
false    sanity
*)"""

count = 0


def fresh(letter):
    """A name that is not taken yet."""
    global count
    count += 1
    return f"{letter}{count}"


def started(root_and_key, names):
    """What binds the three names to a mixed key and the root and chain that it starts."""
    key, root, chain = names
    return (f"let {key} = mixed({root_and_key}) in let {root} = startroot({key}) in "
            f"let {chain} = startchain({key}) in ")


def mixed_names():
    return fresh("k"), fresh("r"), fresh("c")


def orders(side, depth, state, indent):
    """All that a side can do from a state: a send, and each receipt, and what may follow."""
    if depth == 0:
        return f"{indent}0"
    branches = [sending(side, depth, dict(state), indent)]
    branches += receiving(side, depth, state, indent)
    return f"{indent}( " + ("\n" + indent + "| ").join(b.lstrip() for b in branches) + "\n" \
        f"{indent})"


def sending(side, depth, state, indent):
    lines = []
    if state["pending"]:
        names = mixed_names()
        lines.append(started(f"{state['send_root']}, {state['learned']}", names)
                     + f"event Mix({side}, {state['learned']});")
        state.update(send_root=names[1], send_chain=names[2], pending=False)
    if state["offer"] is None:
        state["offer"] = fresh("o")
        lines.append(f"new {state['offer']}: bitstring; event Offer({side}, {state['offer']});")
    text = fresh("t")
    lines.append(f"new {text}: bitstring; event Sent({side}, {text}); "
                 f"out(net, enc(mkey({state['send_chain']}), ({text}, {state['offer']})));")
    chain = fresh("c")
    lines.append(f"let {chain} = step({state['send_chain']}) in")
    state["send_chain"] = chain
    return f"{indent}( " + ("\n" + indent + "  ").join(lines) + "\n" \
        + orders(side, depth - 1, state, indent + "  ") + " )"


def receiving(side, depth, state, indent):
    choices = [("M", state["read_root"], state["read_chain"])]
    mixing = ""
    if state["offer"] is not None:
        names = mixed_names()
        mixing = started(f"{state['read_root']}, {state['offer']}", names)
        choices.append(("N", names[1], names[2]))
    branches = []
    for kind, root, first in choices:
        chain = first
        for ahead in range(AHEAD + 1):
            branches.append(receipt(
                side, depth, state, indent, mixing if kind == "N" else "", kind, root,
                first, chain, ahead))
            chain = f"step({chain})"
    return branches


def receipt(side, depth, state, indent, mixing, kind, root, first, chain, ahead):
    sms, text, key, following = fresh("x"), fresh("t"), fresh("n"), fresh("c")
    read = dict(state, read_root=root, read_chain=following)
    if kind == "N":
        read["offer"] = None
    learned = dict(read, learned=key, pending=True)
    late = ""
    if ahead > 0:
        # The first key passed over is kept; the next key of the late message is ignored.
        other, its_text, its_key = fresh("x"), fresh("t"), fresh("n")
        late = (f"( in(net, {other}: bitstring); let ({its_text}: bitstring, "
                f"{its_key}: bitstring) = dec(mkey({first}), {other}) in "
                f"event Acc({side}, {its_text}); event Late({side}) ) | ")
    deeper = indent + "    "
    if state["learned"] is None:
        rest = f"( {late}\n" + orders(side, depth - 1, learned, deeper) + " )"
    else:
        rest = (f"( {late} if {key} = {state['learned']} then\n"
                + orders(side, depth - 1, read, deeper) + f"\n{indent}    else\n"
                + orders(side, depth - 1, learned, deeper) + " )")
    return (f"{indent}( {mixing}in(net, {sms}: bitstring); "
            f"let ({text}: bitstring, {key}: bitstring) = dec(mkey({chain}), {sms}) in "
            f"event Acc({side}, {text}); event {kind}{ahead}({side}); "
            f"let {following} = step({chain}) in\n{indent}    {rest} )")


def side(name):
    start = dict(send_root="sr", send_chain="sc", read_root="rr", read_chain="rc",
                 offer=None, learned=None, pending=False)
    return (f"let S{name}(sr: bitstring, sc: bitstring, rr: bitstring, rc: bitstring) =\n"
            + orders(name, DEPTH, start, "  ") + ".")


print("\n".join([HEAD, side("A"), side("B"), PROCESS]))
