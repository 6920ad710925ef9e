import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** By heading: an operation failed, or a thing is missing or unknown. */
const admission = /couldn’t|can’t|don’t know|didn’t|no longer works|sign-in is no longer valid|wrong turn/i;

const failureScreens = globSync('src/flows/**/*.tsx').flatMap((file) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /<Message\b((?:[^<>]|<Trans>[^<]*<\/Trans>)*?)heading=\{(?:<Trans>([^<]*)<\/Trans>|(\w+))\}/g,
    ),
  ].map(([, before = '', words = '', variable]) => ({
    file,
    before,
    words: variable === undefined ? words : readFileSync(file, 'utf8'),
  })),
);

test('every screen that shows a failure or an unknown result offers to save a record', () => {
  const failing = failureScreens.filter(({ words }) => admission.test(words));
  expect(failing.length).toBeGreaterThan(8);
  expect(
    failing.filter(({ before }) => !/\bfailure\b/.test(before)).map(({ file, words }) => `${file}: ${words.slice(0, 60)}`),
  ).toEqual([]);
});
