import { notTheirs, subscribedTo } from '../../../machines/path-models/access.ts';
import { describe, expect, test } from 'vitest';
import { otherTitles, titleMachine } from '../../../machines/browsing/title.ts';
import { flowInput, problems, title } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, failed, isSend, isStart } from '../../support/steps.ts';

const inputOf = (params: Record<string, string>, more: object = {}) => flowInput({ flow: 'title', params }, more);
const free = { ...title, free: true, prices: [{ amount: 0, currency: 'USD', symbol: '$' }] };

test.each([
  [{ titleId: '1001', name: 'keeper' }, { titleId: '1001' }],
  [{ isbn: '9780306406157' }, { isbn: '9780306406157' }],
  [{ name: 'the-keeper' }, { name: 'the-keeper' }],
  [{}, { name: '' }],
])('a title is asked for by what its address has: %j', (params, reference) => {
  const asked = after(titleMachine, inputOf(params)).effects.filter(isStart);
  expect(asked.map(({ input }) => input)).toEqual([reference]);
});

describe('other titles are looked for', () => {
  const series = { name: 'Logs', number: 1, titles: 2 };
  test.each([
    [
      { series, authorTitles: 3 },
      { series: 'Logs', author: 'Ines Aldous' },
    ],
    [
      { series: { ...series, titles: 1 }, authorTitles: 1 },
      { series: 'Logs', author: 'Ines Aldous' },
    ],
    [
      { series: { ...series, titles: 0 }, authorTitles: 0 },
      { series: null, author: null },
    ],
    [
      { series: null, authorTitles: 2, authors: [] },
      { series: null, author: null },
    ],
  ])('%j', (part, expected) => {
    expect(otherTitles({ title: { ...title, ...part } as never })).toEqual({ titleId: '1001', ...expected });
  });

  test('nowhere before the title is known', () => {
    expect(otherTitles({ title: null })).toEqual({ titleId: '', series: null, author: null });
  });
});

const pressed = (opened: unknown, part: object, ...events: { type: string }[]) =>
  after(titleMachine, inputOf({ titleId: '1001' }, part), done('title', opened), ...events);

test('what is free but not for sale is not given away', () => {
  const { effects, snapshot } = pressed({ ...free, forSale: false }, {}, { type: 'buy.pressed' });
  expect(effects.filter(isSend)).toEqual([]);
  expect(snapshot.value).toMatchObject({ shown: { ownership: 'notOwned' } });
});

test('a free title is granted after sign-in only to who has asked for it', () => {
  const owned = done('ownership', notTheirs);
  const state = (resume: string | null): unknown => pressed(free, { signedIn: true, resume }, owned).snapshot.value;
  expect(state('get')).toMatchObject({ shown: { ownership: 'granting' } });
  expect(state(null)).toMatchObject({ shown: { ownership: 'notOwned' } });
});

test('a title that comes after all has no problem any more', () => {
  const events = [failed('title', problems.offline), { type: 'retry.pressed' }, done('title', title)];
  expect(contextOf(after(titleMachine, inputOf({ titleId: '1001' }), ...events))['problem']).toBeNull();
});

test('what is free is got for good, also by who has a subscription that opens it', () => {
  const state = (opened: unknown): unknown =>
    pressed(opened, { signedIn: true }, done('ownership', subscribedTo(null))).snapshot.value;
  expect(state(title)).toMatchObject({ shown: { ownership: 'included' } });
  expect(state(free)).toMatchObject({ shown: { ownership: 'notOwned' } });
});
