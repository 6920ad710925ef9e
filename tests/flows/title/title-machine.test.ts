import { noAccess, subscriberAccess } from '../../../machines/path-models/access.ts';
import { describe, expect, test } from 'vitest';
import { toRelatedTitlesRequest, titleMachine } from '../../../machines/browsing/title.ts';
import { createFlowInput, problems, title } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent, isSendEffect, isStartEffect } from '../../support/steps.ts';

const titleInput = (params: Record<string, string>, inputOptions: object = {}) =>
  createFlowInput({ flow: 'title', params }, inputOptions);
const freeTitle = { ...title, free: true, prices: [{ amount: 0, currency: 'USD', symbol: '$' }] };

test.each([
  [{ titleId: '1001', name: 'keeper' }, { titleId: '1001' }],
  [{ isbn: '9780306406157' }, { isbn: '9780306406157' }],
  [{ name: 'the-keeper' }, { name: 'the-keeper' }],
  [{}, { name: '' }],
])('a title is requested by the parts of its address: %j', (params, reference) => {
  const startEffects = stepThrough(titleMachine, titleInput(params)).effects.filter(isStartEffect);
  expect(startEffects.map(({ input }) => input)).toEqual([reference]);
});

describe('the request for related titles', () => {
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
  ])('related titles of a title with %j are requested', (overrides, expected) => {
    expect(toRelatedTitlesRequest({ title: { ...title, ...overrides } as never })).toEqual({ titleId: '1001', ...expected });
  });

  test('the request for related titles is empty before the title is known', () => {
    expect(toRelatedTitlesRequest({ title: null })).toEqual({ titleId: '', series: null, author: null });
  });
});

const stepAfterTitle = (loadedTitle: unknown, overrides: object, ...events: { type: string }[]) =>
  stepThrough(titleMachine, titleInput({ titleId: '1001' }, overrides), doneEvent('title', loadedTitle), ...events);

test('a free title that is not for sale is not granted', () => {
  const { effects, snapshot } = stepAfterTitle({ ...freeTitle, forSale: false }, {}, { type: 'buy.pressed' });
  expect(effects.filter(isSendEffect)).toEqual([]);
  expect(snapshot.value).toMatchObject({ shown: { ownership: 'notOwned' } });
});

test('a free title is granted after sign-in only to the customer who asked for it', () => {
  const ownershipAnswered = doneEvent('ownership', noAccess);
  const getState = (resume: string | null): unknown =>
    stepAfterTitle(freeTitle, { signedIn: true, resume }, ownershipAnswered).snapshot.value;
  expect(getState('get')).toMatchObject({ shown: { ownership: 'granting' } });
  expect(getState(null)).toMatchObject({ shown: { ownership: 'notOwned' } });
});

test('a title that loads after a failure has no problem any more', () => {
  const events = [errorEvent('title', problems.offline), { type: 'retry.pressed' }, doneEvent('title', title)];
  expect(getContext(stepThrough(titleMachine, titleInput({ titleId: '1001' }), ...events))['problem']).toBeNull();
});

test('a free title is granted permanently, also to a subscriber whose plan includes it', () => {
  const getState = (loadedTitle: unknown): unknown =>
    stepAfterTitle(loadedTitle, { signedIn: true }, doneEvent('ownership', subscriberAccess(null))).snapshot.value;
  expect(getState(title)).toMatchObject({ shown: { ownership: 'included' } });
  expect(getState(freeTitle)).toMatchObject({ shown: { ownership: 'notOwned' } });
});
