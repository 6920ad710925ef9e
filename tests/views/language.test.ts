import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { speak, speakOthers } from '../../src/ports/language.ts';

const words = () => Object.keys(i18n.messages).length;

test('whoever asks for the words of the other screens waits until they are there', async () => {
  await speak('fr');
  const first = words();
  const asked = [speakOthers(), speakOthers()];
  await asked[1];
  expect(words()).toBeGreaterThan(first);
  await asked[0];
});

test('a language chosen later has the words of all screens at once', async () => {
  await speakOthers();
  const french = words();
  await speak('it');
  expect(document.documentElement.lang).toBe('it');
  expect(words()).toBe(french);
});
