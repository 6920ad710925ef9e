import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { ContentPage } from '../../../machines/model/store/content-page.ts';
import { contentPageMachine, type ContentPageReference } from '../../../machines/browsing/content-page.ts';
// A lazy chunk in the shop; preloaded here before a test's clock starts.
import '../../../src/views/Markup.tsx';
import { ContentPageView } from '../../../src/flows/page/ContentPageView.tsx';
import { parsePath } from '../../../machines/path-models/route-at.ts';
import { answeringPort, makeFlowInput, rejectingPort, startUnderShop, pendingPort, type Port } from '../../support/views/flow.ts';
import { findPressable, renderInShop, readState } from '../../support/views/show.tsx';

const circlePage: ContentPage = {
  name: 'The Reading Circle',
  html: '<p>On <b>Thursdays</b>.</p><script>window.broken = 1</script><a href="javascript:alert(1)">x</a>',
};

const start = (page: Port<ContentPage, ContentPageReference>, path = '/pages/public/reading-circle', signedIn = false) => {
  const { actor, receivedEvents } = startUnderShop(
    contentPageMachine.provide({ actors: { page } }),
    makeFlowInput(parsePath(path).params, { signedIn }),
  );
  return { actor, events: receivedEvents, container: renderInShop(<ContentPageView actor={actor} />) };
};

test('a page has its name and its sanitised text', async () => {
  const { container } = start(answeringPort(circlePage));
  await waitFor(() => expect(readState(container, 'page')).toBe('shown'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The Reading Circle');
  await waitFor(() => expect(container.querySelector('b')?.textContent).toBe('Thursdays'));
  expect(container.querySelector('script')).toBeNull();
  expect(container.innerHTML).not.toContain('javascript:');
});

test('a page for customers asks for sign-in', async () => {
  const { container, events } = start(rejectingPort({ kind: 'unauthorized' }), '/pages/private/notes');
  await waitFor(() => expect(readState(container, 'page')).toBe('forCustomers'));
  expect(events).toEqual([{ type: 'signIn.needed', action: null }]);
});

test('a content page that is loading, missing or failed says so, and a failure can be retried', async () => {
  start(pendingPort());
  expect(screen.getByRole('status').textContent).toContain('Loading the page');
  const missingPage = start(rejectingPort({ kind: 'refused', code: 'not_found', message: '' }));
  await waitFor(() => expect(readState(missingPage.container, 'page')).toBe('notFound'));
  expect(missingPage.container.querySelector('a')?.getAttribute('href')).toBe('/');
  const failedPage = start(rejectingPort({ kind: 'offline' }));
  await waitFor(() => expect(readState(failedPage.container, 'page')).toBe('failed'));
  await userEvent.click(findPressable(failedPage.container, 'retry.pressed'));
  await waitFor(() => expect(readState(failedPage.container, 'page')).toBe('failed'));
});
