"""Without a mouse: from the front page to some moves."""

import pytest
from playwright.sync_api import expect


def tab_to(visitor, is_it, most=80):
    """Press Tab until the focus is on the thing for which ``is_it``, a function of JavaScript, holds."""
    for _ in range(most):
        if visitor.page.evaluate(f"() => ({is_it})(document.activeElement)"):
            return
        visitor.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never gets there: {is_it}")


def focused(visitor):
    return visitor.page.evaluate("document.activeElement?.dataset?.id ?? ''")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_keyboard(server, visit, lang):
    player = visit(server, lang).go()
    keys = player.page.keyboard
    expect(player.button("shell.front.play")).to_be_visible()
    keys.press("Tab")
    assert player.page.evaluate("document.activeElement.textContent") == player.say("shell.skip")
    tab_to(player, "(it) => it.classList.contains('play')")
    keys.press("Enter")
    assert player.match
    while "deploy-rest" not in [button["do"] for button in player.wait()["buttons"]]:
        tab_to(player, "(it) => it.classList.contains('quick')")
        keys.press("Enter")
    number = player.seen()["number"]

    # a unit to a sector: the board is one stop of Tab, arrows go on from it, N to what shines next
    tab_to(player, "(it) => it.matches('svg [data-id]')")
    for press in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        keys.press(press)
        assert focused(player)
    keys.press("Home")
    start = focused(player)
    keys.press("n")
    assert focused(player) in player.seen()["things"]
    assert focused(player) != start
    keys.press("Enter")
    expect(player.at("chosen")).to_be_visible()
    keys.press("Escape")
    expect(player.at("chosen")).to_have_count(0)
    keys.press("Enter")
    expect(player.at("chosen")).to_be_visible()
    keys.press("n")
    assert focused(player) in player.seen()["things"]
    keys.press("Enter")
    player.page.wait_for_function(
        "(n) => Number(document.querySelector('[data-testid=table]').dataset.number) > n"
        " || document.querySelector('[data-testid=menu]')",
        arg=number,
    )
    if player.at("menu").count():  # in a thick forest: openly or face down
        keys.press("1")
    player.wait_number(number + 1)
    player.wait()
    keys.press("Control+z")
    player.wait_number(number + 2)
    player.wait()

    # the moves, as a list
    keys.press("m")
    assert player.page.evaluate("document.activeElement.id") == "tab-moves"
    tab_to(player, "(it) => it.type === 'search'")
    keys.type("deploy-rest")
    tab_to(player, "(it) => it.dataset.do === 'deploy-rest'")
    keys.press("Space")
    player.wait_number(number + 3)
    player.wait()

    # the numbered buttons
    player.page.locator("#main").focus()
    keys.press("1")
    player.wait_number(number + 4)
    assert player.wait()["yours"]
    keys.press("?")
    expect(player.at("help")).to_be_visible()
    keys.press("Escape")
    expect(player.at("help")).to_be_hidden()
    keys.press("r")
    expect(player.at("rulebook")).to_be_visible()
