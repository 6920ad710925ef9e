import { expect, test } from 'vitest';
import { landingMachine } from '../../../machines/browsing/landing.ts';
import { createFlowInput, store } from '../../../machines/path-models/path-model.ts';
import { stepThrough, isStartEffect } from '../../support/steps.ts';

const listStartedActors = (overrides: object, signedIn = false) =>
  stepThrough(landingMachine, createFlowInput({}, { signedIn, store: { ...store, ...overrides } }))
    .effects.filter(isStartEffect)
    .map(({ id, input }) => [id, input]);

test.each(['enableEbook', 'enableAudioTitle', 'enableVideoTitle'])(
  'a store without %s requests no carousel of that type',
  (name) => {
    const kinds = { enableEbook: 'ebook', enableAudioTitle: 'audio', enableVideoTitle: 'video' };
    const allEnabled = Object.fromEntries(Object.keys(kinds).map((property) => [property, true]));
    const remainingKinds = Object.entries(kinds).flatMap(([property, kind]) => (property === name ? [] : [kind]));
    expect(listStartedActors({ ...allEnabled, [name]: false })).toEqual([['carousels', { types: remainingKinds }]]);
  },
);

test('unfinished titles are requested only for a signed-in customer of a store with a reader', () => {
  const listStartedIds = (overrides: object, signedIn: boolean) => listStartedActors(overrides, signedIn).map(([id]) => id);
  expect(listStartedIds({ enableWebReader: true }, true)).toContain('startedTitles');
  expect(listStartedIds({ enableWebReader: false }, true)).not.toContain('startedTitles');
  expect(listStartedIds({ enableWebReader: true }, false)).not.toContain('startedTitles');
});
