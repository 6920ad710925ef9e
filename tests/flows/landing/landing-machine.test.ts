import { expect, test } from 'vitest';
import { landingMachine } from '../../../machines/browsing/landing.ts';
import { createFlowInput, store } from '../../../machines/path-models/path-model.ts';
import { stepThrough, isStartEffect } from '../../support/steps.ts';

const startLanding = (part: object, signedIn = false) =>
  stepThrough(landingMachine, createFlowInput({}, { signedIn, store: { ...store, ...part } }))
    .effects.filter(isStartEffect)
    .map(({ id, input }) => [id, input]);

test.each(['enableEbook', 'enableAudioTitle', 'enableVideoTitle'])('a store without %s has no shelf of it', (name) => {
  const kinds = { enableEbook: 'ebook', enableAudioTitle: 'audio', enableVideoTitle: 'video' };
  const all = Object.fromEntries(Object.keys(kinds).map((each) => [each, true]));
  const left = Object.entries(kinds).flatMap(([each, kind]) => (each === name ? [] : [kind]));
  expect(startLanding({ ...all, [name]: false })).toEqual([['carousels', { types: left }]]);
});

test('unfinished titles are requested only for a signed-in customer of a store with a reader', () => {
  const ids = (part: object, signedIn: boolean) => startLanding(part, signedIn).map(([id]) => id);
  expect(ids({ enableWebReader: true }, true)).toContain('begun');
  expect(ids({ enableWebReader: false }, true)).not.toContain('begun');
  expect(ids({ enableWebReader: true }, false)).not.toContain('begun');
});
