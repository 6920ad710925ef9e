import { expect, test } from 'vitest';
import { contentPageMachine } from '../../../machines/browsing/content-page.ts';
import { flowInput } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done } from '../../support/steps.ts';

test('a page in another language takes the place of the one that is shown', () => {
  const page = (name: string) => done('page', { name, html: '' });
  const events = [page('About'), { type: 'language.changed', words: {} }, page('À propos')];
  const step = after(contentPageMachine, flowInput({ flow: 'page', params: { pageId: '1' } }), ...events);
  expect(contextOf(step)['page']).toMatchObject({ name: 'À propos' });
});
