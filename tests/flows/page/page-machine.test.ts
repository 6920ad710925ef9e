import { expect, test } from 'vitest';
import { contentPageMachine } from '../../../machines/browsing/content-page.ts';
import { createFlowInput } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent } from '../../support/steps.ts';

test('a page in another language replaces the current one', () => {
  const pageLoaded = (name: string) => doneEvent('page', { name, html: '' });
  const events = [pageLoaded('About'), { type: 'language.changed', words: {} }, pageLoaded('À propos')];
  const step = stepThrough(contentPageMachine, createFlowInput({ flow: 'page', params: { pageId: '1' } }), ...events);
  expect(getContext(step)['page']).toMatchObject({ name: 'À propos' });
});
