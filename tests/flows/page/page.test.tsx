import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ContentPage } from '../../../machines/model/store/content-page.ts';
import { contentPageMachine, type ContentPageReference } from '../../../machines/browsing/content-page.ts';
// Fetched late by the shop; here it is there before the clock of a test starts.
import '../../../src/views/Markup.tsx';
import { ContentPageView } from '../../../src/flows/page/ContentPageView.tsx';
import { routeAt } from '../../../machines/path-models/route-at.ts';
import { answers, flowInput, rejects, underShop, waits, type Port } from '../../support/views/flow.ts';
import { pressable, show, stateOf } from '../../support/views/show.tsx';

const circle: ContentPage = {
  name: 'The Reading Circle',
  html: '<p>On <b>Thursdays</b>.</p><script>window.broken = 1</script><a href="javascript:alert(1)">x</a>',
};

const start = (page: Port<ContentPage, ContentPageReference>, path = '/pages/public/reading-circle', signedIn = false) => {
  const { actor, told } = underShop(
    contentPageMachine.provide({ actors: { page } }),
    flowInput(routeAt(path).params, { signedIn }),
  );
  return { actor, told, container: show(<ContentPageView actor={actor} />) };
};

test('a page has its name and its sanitised text', async () => {
  const { container } = start(answers(circle));
  await waitFor(() => expect(stateOf(container, 'page')).toBe('shown'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The Reading Circle');
  await waitFor(() => expect(container.querySelector('b')?.textContent).toBe('Thursdays'));
  expect(container.querySelector('script')).toBeNull();
  expect(container.innerHTML).not.toContain('javascript:');
});

test('a page for customers asks for sign-in', async () => {
  const { container, told } = start(rejects({ kind: 'unauthorized' }), '/pages/private/notes');
  await waitFor(() => expect(stateOf(container, 'page')).toBe('forCustomers'));
  expect(told).toEqual([{ type: 'signIn.needed', action: null }]);
});

test('waits, says that there is no such page, and asks again after a failure', async () => {
  start(waits());
  expect(screen.getByRole('status').textContent).toContain('Loading the page');
  const missing = start(rejects({ kind: 'refused', code: 'not_found', message: '' }));
  await waitFor(() => expect(stateOf(missing.container, 'page')).toBe('notFound'));
  expect(missing.container.querySelector('a')?.getAttribute('href')).toBe('/');
  const failed = start(rejects({ kind: 'offline' }));
  await waitFor(() => expect(stateOf(failed.container, 'page')).toBe('failed'));
  await userEvent.click(pressable(failed.container, 'retry.pressed'));
  await waitFor(() => expect(stateOf(failed.container, 'page')).toBe('failed'));
});
