import { expect, test } from 'vitest';
import { landingMachine } from '../../../machines/browsing/landing.ts';
import { flowInput, store } from '../../../machines/path-models/path-model.ts';
import { after, isStart } from '../../support/steps.ts';

const asked = (part: object, signedIn = false) =>
  after(landingMachine, flowInput({}, { signedIn, store: { ...store, ...part } }))
    .effects.filter(isStart)
    .map(({ id, input }) => [id, input]);

test.each(['enableEbook', 'enableAudioTitle', 'enableVideoTitle'])('a store without %s has no shelf of it', (name) => {
  const kinds = { enableEbook: 'ebook', enableAudioTitle: 'audio', enableVideoTitle: 'video' };
  const all = Object.fromEntries(Object.keys(kinds).map((each) => [each, true]));
  const left = Object.entries(kinds).flatMap(([each, kind]) => (each === name ? [] : [kind]));
  expect(asked({ ...all, [name]: false })).toEqual([['carousels', { types: left }]]);
});

test('what was begun is asked for where it can be gone on with', () => {
  const ids = (part: object, signedIn: boolean) => asked(part, signedIn).map(([id]) => id);
  expect(ids({ enableWebReader: true }, true)).toContain('begun');
  expect(ids({ enableWebReader: false }, true)).not.toContain('begun');
  expect(ids({ enableWebReader: true }, false)).not.toContain('begun');
});
