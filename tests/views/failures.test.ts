import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** By their headings: something did not work, is not there, or is not known. */
const admits = /couldn’t|can’t|don’t know|didn’t|no longer works|sign-in is over|wrong turn/i;

const screens = globSync('src/flows/**/*.tsx').flatMap((file) =>
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

test('every screen that admits a failure, or not to know, offers to save a record', () => {
  const failing = screens.filter(({ words }) => admits.test(words));
  expect(failing.length).toBeGreaterThan(8);
  expect(
    failing.filter(({ before }) => !/\bfailure\b/.test(before)).map(({ file, words }) => `${file}: ${words.slice(0, 60)}`),
  ).toEqual([]);
});
