import { describe, expect, test } from 'vitest';
import { isLongEnough, searchBoxMachine } from '../../../machines/app/search-box.ts';
import { cartLinesMachine, isRemovedFromCart } from '../../../machines/app/cart.ts';
import { ownCreditsMachine } from '../../../machines/app/own-credits.ts';
import { isRemovedFromWishes, wishesMachine } from '../../../machines/app/wish-list.ts';
import { isMissing } from '../../../machines/ports.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent } from '../../support/steps.ts';

const searchTyped = (text: string) => ({ type: 'search.typed', isEnough: isLongEnough(text), pii: { typed: text } });
const typingPaused = { type: 'xstate.after.pause.searchBox.typing' };
const suggestionsLoaded = doneEvent('suggestions', ['one', 'two', 'three']);
const suggestionMoved = (by: number) => ({ type: 'suggestion.moved', by });
const readActive = (...events: { type: string }[]) =>
  getContext(stepThrough(searchBoxMachine, undefined, searchTyped('lo'), typingPaused, suggestionsLoaded, ...events))['active'];

describe('the search field', () => {
  test('suggests from two characters on, not counting spaces around them', () => {
    expect(['', 'l', ' l ', 'lo', 'log'].map(isLongEnough)).toEqual([false, false, false, true, true]);
  });

  test('cycles through its suggestions, past the typed text', () => {
    expect(readActive()).toBeNull();
    expect(readActive(suggestionMoved(1))).toBe(0);
    expect(readActive(suggestionMoved(-1))).toBe(2);
    expect(readActive(suggestionMoved(1), suggestionMoved(1))).toBe(1);
    expect(readActive(suggestionMoved(-1), suggestionMoved(1))).toBeNull();
    expect(readActive(suggestionMoved(1), suggestionMoved(-1))).toBeNull();
  });

  test('starts over with every typed character', () => {
    expect(readActive(suggestionMoved(1), searchTyped('log'))).toBeNull();
    expect(readActive(suggestionMoved(1), searchTyped('log'), typingPaused, suggestionsLoaded)).toBeNull();
    expect(readActive(suggestionMoved(1), { type: 'search.left' })).toBeNull();
  });

  test('debounces again after each character', () => {
    const { effects } = stepThrough(searchBoxMachine, undefined, searchTyped('lo'), searchTyped('log'));
    expect(effects.filter(({ kind }) => kind === 'send')).toMatchObject([{ delay: 180 }]);
  });
});

const readWishes = (...events: { type: string }[]) =>
  getContext(stepThrough(wishesMachine, { signedIn: true }, doneEvent('readWishes', []), ...events));
const wishToggled = (titleId: string, part: object = {}) => ({ type: 'wish.toggled', titleId, ...part });

describe('the wish list', () => {
  test('keeps the time of a title’s first save, if it is saved again', () => {
    expect(readWishes(wishToggled('1', { savedAt: '2026-01-01' }))['sending']).toStrictEqual([
      { titleId: '1', isSaved: true, savedAt: '2026-01-01' },
    ]);
    expect(readWishes(wishToggled('1'))['sending']).toStrictEqual([{ titleId: '1', isSaved: true }]);
  });

  test('`isRemoved` is true for a title removed in this tab, not for one that is not loaded yet', () => {
    const one = { titleId: '1', savedAt: '2026-01-01' };
    const isRemovedAfter = (...events: { type: string }[]) =>
      isRemovedFromWishes(stepThrough(wishesMachine, { signedIn: true }, ...events).snapshot as never, '1');
    const saved = doneEvent('readWishes', [one]);
    expect(isRemovedAfter(saved, wishToggled('1'))).toBe(true);
    expect(isRemovedAfter(saved, wishToggled('1'), doneEvent('changeWishes', []))).toBe(true);
    expect(isRemovedAfter(saved, wishToggled('1'), wishToggled('1'))).toBe(false);
    expect(isRemovedAfter(saved, wishToggled('1'), errorEvent('changeWishes', problems.offline))).toBe(false);
    expect(
      isRemovedAfter(saved, wishToggled('1'), { type: 'session.changed', userId: null } as never, doneEvent('readWishes', [])),
    ).toBe(false);
    // Saved or removed in another tab: the page's list may know of it sooner.
    expect(isRemovedAfter(doneEvent('readWishes', []))).toBe(false);
    expect(isRemovedAfter(saved, { type: 'wishes.changed' }, doneEvent('readWishes', []))).toBe(false);
  });
});

test('`isTakenOut` is true for a title removed in this tab, not by another tab or a purchase', () => {
  const isTakenOutAfter = (...events: { type: string }[]) =>
    isRemovedFromCart(stepThrough(cartLinesMachine, { signedIn: true }, ...events).snapshot as never, '1');
  const filled = doneEvent('readCart', [{ titleId: '1', savedAt: '2026-01-01' }]);
  const removed = { type: 'title.removed', titleId: '1' };
  expect(isTakenOutAfter(filled, removed)).toBe(true);
  expect(isTakenOutAfter(filled, removed, doneEvent('changeCart', []))).toBe(true);
  expect(isTakenOutAfter(filled, removed, { type: 'title.added', titleId: '1' } as never)).toBe(false);
  expect(isTakenOutAfter(filled, removed, errorEvent('changeCart', problems.offline))).toBe(false);
  const two = ['1', '2'].map((titleId) => ({ titleId, savedAt: '2026-01-01' }));
  const other = { ...removed, titleId: '2' };
  expect(isTakenOutAfter(doneEvent('readCart', two), removed, other)).toBe(true);
  expect(isTakenOutAfter(doneEvent('readCart', []))).toBe(false);
  expect(isTakenOutAfter(filled, { type: 'cart.changed' }, doneEvent('readCart', []))).toBe(false);
});

test('titles from a campaign are removed and restored together, in order, with their dates', () => {
  const lines = ['1', '2'].map((titleId) => ({ titleId, savedAt: `2026-01-0${titleId}` }));
  const [first, ...rest] = lines;
  const press = (type: 'title.removed' | 'title.added') => ({ type, ...first, rest, campaignId: 'c1' }) as never;
  const filled = doneEvent('readCart', [
    { titleId: '2', savedAt: '2026-01-02' },
    { titleId: '3', savedAt: '2026-01-03' },
  ]);
  const context = (...events: { type: string }[]) =>
    getContext(stepThrough(cartLinesMachine, { signedIn: true }, filled, ...events));
  const out = context(press('title.removed'));
  expect(out['sending']).toEqual([{ titleId: '2', isSaved: false, campaignId: 'c1', ofCampaign: true }]);
  expect(out['removed']).toEqual(['2']);
  const back = context(press('title.removed'), doneEvent('changeCart', [{ titleId: '3', savedAt: '' }]), press('title.added'));
  expect(back).toMatchObject({
    sending: lines.map((line) => ({ ...line, isSaved: true, campaignId: 'c1' })),
    removed: [],
  });
});

test('`isMissing` is true for what the server reports as missing', () => {
  const { notFound, notOwned, offline } = problems;
  const status = (code: number) => ({ kind: 'http', status: code, message: '' }) as const;
  const all = [notFound, status(404), notOwned, offline, status(500)];
  expect(all.map((problem) => isMissing(null, problem))).toEqual([true, true, false, false, false]);
});

describe('the credits in the top bar', () => {
  const input = { signedIn: true, takesCredits: true };
  const balance = (amount: number) => doneEvent('creditBalance', { balance: amount, currency: 'Lanterns', accepted: true });
  const known = (...events: { type: string }[]) => {
    const { isKnown, balance: amount, currency } = getContext(stepThrough(ownCreditsMachine, input, ...events));
    return { isKnown, amount, currency };
  };

  test('are those of the server, and stay while they are requested again', () => {
    expect(known(balance(3))).toEqual({ isKnown: true, amount: 3, currency: 'Lanterns' });
    expect(known(balance(3), { type: 'credits.changed' })).toEqual({ isKnown: true, amount: 3, currency: 'Lanterns' });
    expect(known(balance(3), { type: 'credits.changed' }, balance(1))).toEqual({
      isKnown: true,
      amount: 1,
      currency: 'Lanterns',
    });
  });

  test('are 0 without a currency, and hidden, as soon as the customer signs out [S4.logout-credits]', () => {
    const signedOut = { type: 'session.changed', userId: null, ended: false };
    expect(known(balance(3), signedOut)).toEqual({ isKnown: false, amount: 0, currency: '' });
  });

  test('are hidden when the server does not give them', () => {
    const lost = errorEvent('creditBalance', problems.offline);
    expect(known(lost)).toEqual({ isKnown: false, amount: 0, currency: '' });
    expect(known(balance(3), { type: 'credits.changed' }, lost)).toEqual({ isKnown: false, amount: 0, currency: '' });
  });
});
