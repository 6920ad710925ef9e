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
const suggestionMoved = (step: number) => ({ type: 'suggestion.moved', by: step });
const readActive = (...events: { type: string }[]) =>
  getContext(stepThrough(searchBoxMachine, undefined, searchTyped('lo'), typingPaused, suggestionsLoaded, ...events))['active'];

describe('the search field', () => {
  test('the search field suggests from two characters on, not counting spaces around them', () => {
    expect(['', 'l', ' l ', 'lo', 'log'].map(isLongEnough)).toEqual([false, false, false, true, true]);
  });

  test('the search field cycles through its suggestions and the typed text', () => {
    expect(readActive()).toBeNull();
    expect(readActive(suggestionMoved(1))).toBe(0);
    expect(readActive(suggestionMoved(-1))).toBe(2);
    expect(readActive(suggestionMoved(1), suggestionMoved(1))).toBe(1);
    expect(readActive(suggestionMoved(-1), suggestionMoved(1))).toBeNull();
    expect(readActive(suggestionMoved(1), suggestionMoved(-1))).toBeNull();
  });

  test('a typed character clears the chosen suggestion', () => {
    expect(readActive(suggestionMoved(1), searchTyped('log'))).toBeNull();
    expect(readActive(suggestionMoved(1), searchTyped('log'), typingPaused, suggestionsLoaded)).toBeNull();
    expect(readActive(suggestionMoved(1), { type: 'search.closed' })).toBeNull();
  });

  test('each typed character restarts the debounce', () => {
    const { effects } = stepThrough(searchBoxMachine, undefined, searchTyped('lo'), searchTyped('log'));
    expect(effects.filter(({ kind }) => kind === 'send')).toMatchObject([{ delay: 180 }]);
  });
});

const readWishes = (...events: { type: string }[]) =>
  getContext(stepThrough(wishesMachine, { signedIn: true }, doneEvent('readWishes', []), ...events));
const wishToggled = (titleId: string, fields: object = {}) => ({ type: 'wish.toggled', titleId, ...fields });

describe('the wish list', () => {
  test('the wish list keeps the time of a title’s first save, if the title is saved again', () => {
    expect(readWishes(wishToggled('1', { savedAt: '2026-01-01' }))['sending']).toStrictEqual([
      { titleId: '1', isSaved: true, savedAt: '2026-01-01' },
    ]);
    expect(readWishes(wishToggled('1'))['sending']).toStrictEqual([{ titleId: '1', isSaved: true }]);
  });

  test('`isRemovedFromWishes` is true for a title removed in this tab, not for one that is not loaded yet', () => {
    const wish = { titleId: '1', savedAt: '2026-01-01' };
    const isRemovedAfter = (...events: { type: string }[]) =>
      isRemovedFromWishes(stepThrough(wishesMachine, { signedIn: true }, ...events).snapshot as never, '1');
    const saved = doneEvent('readWishes', [wish]);
    expect(isRemovedAfter(saved, wishToggled('1'))).toBe(true);
    expect(isRemovedAfter(saved, wishToggled('1'), doneEvent('changeWishes', []))).toBe(true);
    expect(isRemovedAfter(saved, wishToggled('1'), wishToggled('1'))).toBe(false);
    expect(isRemovedAfter(saved, wishToggled('1'), errorEvent('changeWishes', problems.offline))).toBe(false);
    expect(
      isRemovedAfter(saved, wishToggled('1'), { type: 'session.changed', userId: null } as never, doneEvent('readWishes', [])),
    ).toBe(false);
    // The title was removed in another tab, which the list on the page may know sooner.
    expect(isRemovedAfter(doneEvent('readWishes', []))).toBe(false);
    expect(isRemovedAfter(saved, { type: 'wishes.changed' }, doneEvent('readWishes', []))).toBe(false);
  });
});

test('`isRemovedFromCart` is true for a title removed in this tab, not by another tab or a purchase', () => {
  const isRemovedAfter = (...events: { type: string }[]) =>
    isRemovedFromCart(stepThrough(cartLinesMachine, { signedIn: true }, ...events).snapshot as never, '1');
  const cartRead = doneEvent('readCart', [{ titleId: '1', savedAt: '2026-01-01' }]);
  const titleRemoved = { type: 'title.removed', titleId: '1' };
  expect(isRemovedAfter(cartRead, titleRemoved)).toBe(true);
  expect(isRemovedAfter(cartRead, titleRemoved, doneEvent('changeCart', []))).toBe(true);
  expect(isRemovedAfter(cartRead, titleRemoved, { type: 'title.added', titleId: '1' } as never)).toBe(false);
  expect(isRemovedAfter(cartRead, titleRemoved, errorEvent('changeCart', problems.offline))).toBe(false);
  const twoLines = ['1', '2'].map((titleId) => ({ titleId, savedAt: '2026-01-01' }));
  const otherRemoved = { ...titleRemoved, titleId: '2' };
  expect(isRemovedAfter(doneEvent('readCart', twoLines), titleRemoved, otherRemoved)).toBe(true);
  expect(isRemovedAfter(doneEvent('readCart', []))).toBe(false);
  expect(isRemovedAfter(cartRead, { type: 'cart.changed' }, doneEvent('readCart', []))).toBe(false);
});

test('titles from a campaign are removed and restored together, in order, with their dates', () => {
  const lines = ['1', '2'].map((titleId) => ({ titleId, savedAt: `2026-01-0${titleId}` }));
  const [first, ...rest] = lines;
  const createPress = (type: 'title.removed' | 'title.added') => ({ type, ...first, rest, campaignId: 'c1' }) as never;
  const cartRead = doneEvent('readCart', [
    { titleId: '2', savedAt: '2026-01-02' },
    { titleId: '3', savedAt: '2026-01-03' },
  ]);
  const getContextAfter = (...events: { type: string }[]) =>
    getContext(stepThrough(cartLinesMachine, { signedIn: true }, cartRead, ...events));
  const removedContext = getContextAfter(createPress('title.removed'));
  expect(removedContext['sending']).toEqual([{ titleId: '2', isSaved: false, campaignId: 'c1', ofCampaign: true }]);
  expect(removedContext['removed']).toEqual(['2']);
  const restoredContext = getContextAfter(
    createPress('title.removed'),
    doneEvent('changeCart', [{ titleId: '3', savedAt: '' }]),
    createPress('title.added'),
  );
  expect(restoredContext).toMatchObject({
    sending: lines.map((line) => ({ ...line, isSaved: true, campaignId: 'c1' })),
    removed: [],
  });
});

test('`isMissing` is true for a problem that reports something as missing', () => {
  const { notFound, notOwned, offline } = problems;
  const httpProblem = (code: number) => ({ kind: 'http', status: code, message: '' }) as const;
  const allProblems = [notFound, httpProblem(404), notOwned, offline, httpProblem(500)];
  expect(allProblems.map((problem) => isMissing(null, problem))).toEqual([true, true, false, false, false]);
});

describe('the credits in the top bar', () => {
  const input = { signedIn: true, takesCredits: true };
  const balanceLoaded = (amount: number) => doneEvent('creditBalance', { balance: amount, currency: 'Lanterns', accepted: true });
  const getCredits = (...events: { type: string }[]) => {
    const { isKnown, balance: amount, currency } = getContext(stepThrough(ownCreditsMachine, input, ...events));
    return { isKnown, amount, currency };
  };

  test('the credits in the top bar are the server’s, and stay while they are requested again', () => {
    expect(getCredits(balanceLoaded(3))).toEqual({ isKnown: true, amount: 3, currency: 'Lanterns' });
    expect(getCredits(balanceLoaded(3), { type: 'credits.changed' })).toEqual({ isKnown: true, amount: 3, currency: 'Lanterns' });
    expect(getCredits(balanceLoaded(3), { type: 'credits.changed' }, balanceLoaded(1))).toEqual({
      isKnown: true,
      amount: 1,
      currency: 'Lanterns',
    });
  });

  test('the credits in the top bar are reset as soon as the customer signs out [S4.logout-credits]', () => {
    const signedOut = { type: 'session.changed', userId: null, ended: false };
    expect(getCredits(balanceLoaded(3), signedOut)).toEqual({ isKnown: false, amount: 0, currency: '' });
  });

  test('the credits in the top bar are hidden when the server does not send them', () => {
    const balanceFailed = errorEvent('creditBalance', problems.offline);
    expect(getCredits(balanceFailed)).toEqual({ isKnown: false, amount: 0, currency: '' });
    expect(getCredits(balanceLoaded(3), { type: 'credits.changed' }, balanceFailed)).toEqual({
      isKnown: false,
      amount: 0,
      currency: '',
    });
  });
});
