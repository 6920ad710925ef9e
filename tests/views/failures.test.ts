import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Headings that report a failure, or something missing or unknown. */
const failureHeading = /couldn’t|can’t|don’t know|didn’t|no longer works|sign-in is no longer valid|wrong turn/i;

const failureScreens = globSync('src/flows/**/*.tsx').flatMap((file) =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /<Message\b((?:[^<>]|<Trans>[^<]*<\/Trans>)*?)heading=\{(?:<Trans>([^<]*)<\/Trans>|(\w+))\}/g,
    ),
  ].map(([, attributes = '', heading = '', variable]) => ({
    file,
    attributes,
    heading: variable === undefined ? heading : readFileSync(file, 'utf8'),
  })),
);

test('every screen that shows a failure or an unknown result offers to save a record', () => {
  const failureMessages = failureScreens.filter(({ heading }) => failureHeading.test(heading));
  expect(failureMessages.length).toBeGreaterThan(8);
  expect(
    failureMessages
      .filter(({ attributes }) => !/\bfailure\b/.test(attributes))
      .map(({ file, heading }) => `${file}: ${heading.slice(0, 60)}`),
  ).toEqual([]);
});
