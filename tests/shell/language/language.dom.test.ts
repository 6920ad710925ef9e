import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { createBrowserEnvironment } from '../../../src/shell/app/browser-environment.ts';
import { createTranslations } from '../../../src/shell/ports/language.ts';

const i18n = setupI18n();
const { activateLanguage, loadFlowTranslations } = createTranslations(i18n, createBrowserEnvironment(Promise.resolve()));
const countMessages = () => Object.keys(i18n.messages).length;

test('a caller that needs a flow’s translations waits until they are loaded', async () => {
  await activateLanguage('fr');
  const countBefore = countMessages();
  const loads = [loadFlowTranslations('purchase'), loadFlowTranslations('purchase')];
  await loads[1];
  expect(countMessages()).toBeGreaterThan(countBefore);
  await loads[0];
});

test('a language chosen later has the translations of all loaded flows', async () => {
  await loadFlowTranslations('purchase');
  const french = countMessages();
  await activateLanguage('it');
  expect(document.documentElement.lang).toBe('it');
  expect(countMessages()).toBe(french);
});

test('a flow without translations of its own needs no loading', async () => {
  await loadFlowTranslations('none');
});
