import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { createBrowserWorld } from '../../../src/shell/app/browser-world.ts';
import { translationsOf } from '../../../src/shell/ports/language.ts';

const i18n = setupI18n();
const { activateLanguage, loadFlowTranslations } = translationsOf(i18n, createBrowserWorld(Promise.resolve()));
const count = () => Object.keys(i18n.messages).length;

test('whoever asks for the translations of a flow waits until they are loaded', async () => {
  await activateLanguage('fr');
  const first = count();
  const asked = [loadFlowTranslations('purchase'), loadFlowTranslations('purchase')];
  await asked[1];
  expect(count()).toBeGreaterThan(first);
  await asked[0];
});

test('a language chosen later has the translations of all flows that were fetched', async () => {
  await loadFlowTranslations('purchase');
  const french = count();
  await activateLanguage('it');
  expect(document.documentElement.lang).toBe('it');
  expect(count()).toBe(french);
});

test('a flow without translations of its own needs no loading', async () => {
  await loadFlowTranslations('none');
});
