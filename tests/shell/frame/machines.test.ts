import { describe, expect, test } from 'vitest';
import { isEnough, searchBoxMachine } from '../../../machines/app/search-box.ts';
import { cartLinesMachine, isTakenOut } from '../../../machines/app/cart.ts';
import { ownCreditsMachine } from '../../../machines/app/own-credits.ts';
import { isRemoved, wishesMachine } from '../../../machines/app/wish-list.ts';
import { isMissing } from '../../../machines/ports.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, failed } from '../../support/steps.ts';

const typed = (text: string) => ({ type: 'search.typed', isEnough: isEnough(text), pii: { typed: text } });
const paused = { type: 'xstate.after.pause.searchBox.typing' };
const came = done('suggestions', ['one', 'two', 'three']);
const moved = (by: number) => ({ type: 'suggestion.moved', by });
const activeAfter = (...events: { type: string }[]) =>
  contextOf(after(searchBoxMachine, undefined, typed('lo'), paused, came, ...events))['active'];

describe('the search field', () => {
  test('suggests from two letters on, whatever spaces stand around', () => {
    expect(['', 'l', ' l ', 'lo', 'log'].map(isEnough)).toEqual([false, false, false, true, true]);
  });

  test('goes through its suggestions in a circle, past what was typed', () => {
    expect(activeAfter()).toBeNull();
    expect(activeAfter(moved(1))).toBe(0);
    expect(activeAfter(moved(-1))).toBe(2);
    expect(activeAfter(moved(1), moved(1))).toBe(1);
    expect(activeAfter(moved(-1), moved(1))).toBeNull();
    expect(activeAfter(moved(1), moved(-1))).toBeNull();
  });

  test('begins anew with every letter', () => {
    expect(activeAfter(moved(1), typed('log'))).toBeNull();
    expect(activeAfter(moved(1), typed('log'), paused, came)).toBeNull();
    expect(activeAfter(moved(1), { type: 'search.left' })).toBeNull();
  });

  test('waits again after each letter', () => {
    const { effects } = after(searchBoxMachine, undefined, typed('lo'), typed('log'));
    expect(effects.filter(({ kind }) => kind === 'send')).toMatchObject([{ delay: 180 }]);
  });
});

const wishes = (...events: { type: string }[]) =>
  contextOf(after(wishesMachine, { signedIn: true }, done('readWishes', []), ...events));
const toggled = (titleId: string, part: object = {}) => ({ type: 'wish.toggled', titleId, ...part });

describe('the wish list', () => {
  test('remembers when a title was saved first, if it comes back', () => {
    expect(wishes(toggled('1', { savedAt: '2026-01-01' }))['sending']).toStrictEqual([
      { titleId: '1', isSaved: true, savedAt: '2026-01-01' },
    ]);
    expect(wishes(toggled('1'))['sending']).toStrictEqual([{ titleId: '1', isSaved: true }]);
  });

  test('removed is what the customer took off in this tab, not what is only not known yet', () => {
    const one = { titleId: '1', savedAt: '2026-01-01' };
    const isRemovedAfter = (...events: { type: string }[]) =>
      isRemoved(after(wishesMachine, { signedIn: true }, ...events).snapshot as never, '1');
    const saved = done('readWishes', [one]);
    expect(isRemovedAfter(saved, toggled('1'))).toBe(true);
    expect(isRemovedAfter(saved, toggled('1'), done('changeWishes', []))).toBe(true);
    expect(isRemovedAfter(saved, toggled('1'), toggled('1'))).toBe(false);
    expect(isRemovedAfter(saved, toggled('1'), failed('changeWishes', problems.offline))).toBe(false);
    expect(isRemovedAfter(saved, toggled('1'), { type: 'session.changed', userId: null } as never, done('readWishes', []))).toBe(
      false,
    );
    // Saved or removed in another tab: the page's list may know of it sooner.
    expect(isRemovedAfter(done('readWishes', []))).toBe(false);
    expect(isRemovedAfter(saved, { type: 'wishes.changed' }, done('readWishes', []))).toBe(false);
  });
});

test('taken out of the cart is what the customer took out in this tab, not what another one or a purchase did', () => {
  const isTakenOutAfter = (...events: { type: string }[]) =>
    isTakenOut(after(cartLinesMachine, { signedIn: true }, ...events).snapshot as never, '1');
  const filled = done('readCart', [{ titleId: '1', savedAt: '2026-01-01' }]);
  const removed = { type: 'title.removed', titleId: '1' };
  expect(isTakenOutAfter(filled, removed)).toBe(true);
  expect(isTakenOutAfter(filled, removed, done('changeCart', []))).toBe(true);
  expect(isTakenOutAfter(filled, removed, { type: 'title.added', titleId: '1' } as never)).toBe(false);
  expect(isTakenOutAfter(filled, removed, failed('changeCart', problems.offline))).toBe(false);
  const two = ['1', '2'].map((titleId) => ({ titleId, savedAt: '2026-01-01' }));
  const other = { ...removed, titleId: '2' };
  expect(isTakenOutAfter(done('readCart', two), removed, other)).toBe(true);
  expect(isTakenOutAfter(done('readCart', []))).toBe(false);
  expect(isTakenOutAfter(filled, { type: 'cart.changed' }, done('readCart', []))).toBe(false);
});

test('what came from a campaign is taken out and put back at once, each title in its turn, with its day', () => {
  const lines = ['1', '2'].map((titleId) => ({ titleId, savedAt: `2026-01-0${titleId}` }));
  const [first, ...rest] = lines;
  const press = (type: 'title.removed' | 'title.added') => ({ type, ...first, rest, campaignId: 'c1' }) as never;
  const filled = done('readCart', [
    { titleId: '2', savedAt: '2026-01-02' },
    { titleId: '3', savedAt: '2026-01-03' },
  ]);
  const context = (...events: { type: string }[]) => contextOf(after(cartLinesMachine, { signedIn: true }, filled, ...events));
  const out = context(press('title.removed'));
  expect(out['sending']).toEqual([{ titleId: '2', isSaved: false, campaignId: 'c1', ofCampaign: true }]);
  expect(out['removed']).toEqual(['2']);
  const back = context(press('title.removed'), done('changeCart', [{ titleId: '3', savedAt: '' }]), press('title.added'));
  expect(back).toMatchObject({
    sending: lines.map((line) => ({ ...line, isSaved: true, campaignId: 'c1' })),
    removed: [],
  });
});

test('missing is what the server says is not there', () => {
  const { notFound, notOwned, offline } = problems;
  const status = (code: number) => ({ kind: 'http', status: code, message: '' }) as const;
  const all = [notFound, status(404), notOwned, offline, status(500)];
  expect(all.map((problem) => isMissing(null, problem))).toEqual([true, true, false, false, false]);
});

describe('the credits in the top bar', () => {
  const input = { signedIn: true, takesCredits: true };
  const balance = (amount: number) => done('creditBalance', { balance: amount, currency: 'Lanterns', accepted: true });
  const known = (...events: { type: string }[]) => {
    const { isKnown, balance: amount, currency } = contextOf(after(ownCreditsMachine, input, ...events));
    return { isKnown, amount, currency };
  };

  test('are those of the server, and stay while they are asked for anew', () => {
    expect(known(balance(3))).toEqual({ isKnown: true, amount: 3, currency: 'Lanterns' });
    expect(known(balance(3), { type: 'credits.changed' })).toEqual({ isKnown: true, amount: 3, currency: 'Lanterns' });
    expect(known(balance(3), { type: 'credits.changed' }, balance(1))).toEqual({
      isKnown: true,
      amount: 1,
      currency: 'Lanterns',
    });
  });

  test('are 0 without a currency, and not shown, as soon as the customer signs out [S4.logout-credits]', () => {
    const signedOut = { type: 'session.changed', userId: null, ended: false };
    expect(known(balance(3), signedOut)).toEqual({ isKnown: false, amount: 0, currency: '' });
  });

  test('are not shown where the server does not say them', () => {
    const lost = failed('creditBalance', problems.offline);
    expect(known(lost)).toEqual({ isKnown: false, amount: 0, currency: '' });
    expect(known(balance(3), { type: 'credits.changed' }, lost)).toEqual({ isKnown: false, amount: 0, currency: '' });
  });
});
