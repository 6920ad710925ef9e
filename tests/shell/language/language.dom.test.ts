import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/shell/language.ts';

const i18n = setupI18n();
const { speak, speakFlow } = wordsOf(i18n);
const words = () => Object.keys(i18n.messages).length;

test('whoever asks for the words of a flow waits until they are there', async () => {
  await speak('fr');
  const first = words();
  const asked = [speakFlow('checkout'), speakFlow('checkout')];
  await asked[1];
  expect(words()).toBeGreaterThan(first);
  await asked[0];
});

test('a language chosen later has the words of all flows that were fetched', async () => {
  await speakFlow('checkout');
  const french = words();
  await speak('it');
  expect(document.documentElement.lang).toBe('it');
  expect(words()).toBe(french);
});

test('a flow without words of its own is spoken at once', async () => {
  await speakFlow('none');
});
