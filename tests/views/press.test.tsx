import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSelector } from '@xstate/react';
import { expect, test } from 'vitest';
import { type ActorRefFrom, createActor, setup } from 'xstate';
import { EventButton } from '../../src/ui/EventButton.tsx';
import { EventLink } from '../../src/ui/EventLink.tsx';
import { keepFocusWithin } from '../../src/views/keep-focus-within.ts';
import { renderInShop } from '../support/views/show.tsx';

const bell = setup({ types: { events: {} as { type: 'bell.rung' } | { type: 'bell.mended' } } }).createMachine({
  initial: 'whole',
  states: { whole: { on: { 'bell.rung': 'broken' } }, broken: { on: { 'bell.mended': 'whole' } } },
});

test('a press sends its event once, and the button is disabled while the machine does not accept it', async () => {
  const actor = createActor(bell).start();
  renderInShop(
    <EventButton actor={actor} event={{ type: 'bell.rung' }}>
      Ring
    </EventButton>,
  );
  const button = screen.getByRole('button', { name: 'Ring' });
  expect(button).toHaveProperty('disabled', false);
  expect(button.getAttribute('data-event')).toBe('bell.rung');
  await userEvent.click(button);
  expect(actor.getSnapshot().value).toBe('broken');
  expect(button).toHaveProperty('disabled', true);
});

test('a button can be hidden when the machine does not accept its event', () => {
  const actor = createActor(bell).start();
  renderInShop(
    <EventButton actor={actor} event={{ type: 'bell.mended' }} deniedLook="hidden">
      Mend
    </EventButton>,
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('while its event is being processed, a button keeps the focus and ignores a second press', async () => {
  const sentEvents: unknown[] = [];
  const actor = createActor(bell, {
    inspect: ({ type, ...event }) => type === '@xstate.event' && sentEvents.push(event),
  }).start();
  const countBefore = sentEvents.length;
  renderInShop(
    <EventButton actor={actor} event={{ type: 'bell.rung' }} busy>
      Ring
    </EventButton>,
  );
  const button = screen.getByRole('button', { name: 'Ring' });
  expect(button).toHaveProperty('disabled', false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect(sentEvents).toHaveLength(countBefore);
});

test('a link sends its event instead of navigating, unless it is opened in another tab', () => {
  const actor = createActor(bell).start();
  renderInShop(
    <EventLink actor={actor} event={{ type: 'bell.rung' }} href="/bell">
      Ring
    </EventLink>,
  );
  const link = screen.getByRole('link', { name: 'Ring' });
  expect([link.getAttribute('href'), link.getAttribute('data-event')]).toEqual(['/bell', 'bell.rung']);
  // The browser follows a click that is not prevented.
  for (const key of ['metaKey', 'ctrlKey', 'shiftKey', 'altKey']) expect(fireEvent.click(link, { [key]: true })).toBe(true);
  expect(actor.getSnapshot().value).toBe('whole');
  expect(fireEvent.click(link)).toBe(false);
  expect(actor.getSnapshot().value).toBe('broken');
  expect(screen.queryByRole('link')).toBeNull();
});

test('a link whose event the machine does not accept can stay, and does not navigate', () => {
  const actor = createActor(bell).start();
  renderInShop(
    <EventLink actor={actor} event={{ type: 'bell.mended' }} href="/bell" deniedLook="disabled">
      Mend
    </EventLink>,
  );
  const link = screen.getByRole('link', { name: 'Mend' });
  expect(link.getAttribute('aria-disabled')).toBe('true');
  expect(fireEvent.click(link)).toBe(false);
  expect(actor.getSnapshot().value).toBe('whole');
});

const shelf = setup({
  types: { events: {} as { type: 'retry.pressed' } | { type: 'books.came' } },
}).createMachine({
  initial: 'failed',
  states: {
    failed: { on: { 'retry.pressed': 'loading' } },
    loading: { tags: 'busy', on: { 'books.came': 'shown' } },
    shown: { on: { 'retry.pressed': 'loading' } },
  },
});

const retry = { type: 'retry.pressed' } as const;

/** Renders a new section for each state, as flows do, or the same one if it `stays`. */
const Shelf = ({ actor, stays }: { actor: ActorRefFrom<typeof shelf>; stays: boolean }) => {
  const value = useSelector(actor, (state) => state.value);
  const button = (
    <EventButton actor={actor} event={retry}>
      Retry
    </EventButton>
  );
  return (
    <main id="main" tabIndex={-1}>
      <h1 key={value}>{value}</h1>
      {stays || value === 'failed' ? <section key={stays ? '' : value}>{button}</section> : <a href="/all">All</a>}
    </main>
  );
};

test('the focus of a pressed button moves to the next screen, and stays there', async () => {
  const actor = createActor(shelf).start();
  renderInShop(<Shelf actor={actor} stays={false} />);
  screen.getByRole('button').focus();
  await userEvent.keyboard('{Enter}');
  expect(actor.getSnapshot().value).toBe('loading');
  await waitFor(() => expect(document.activeElement?.id).toBe('main'));
  actor.send({ type: 'books.came' });
  await screen.findByRole('heading', { name: 'shown' });
  expect(document.activeElement?.id).toBe('main');
});

test('the section of an explicit focus target takes the focus of a removed button, not the screen', async () => {
  const actor = createActor(shelf).start();
  const Aisle = () => {
    const value = useSelector(actor, (state) => state.value);
    return (
      <section data-flow="aisle">
        <h2 tabIndex={-1}>Aisle</h2>
        {value === 'failed' ? (
          <div>
            <EventButton actor={actor} event={retry}>
              Retry
            </EventButton>
            <span hidden ref={keepFocusWithin} />
          </div>
        ) : (
          <input aria-label="Find a book" />
        )}
      </section>
    );
  };
  renderInShop(<Aisle />);
  screen.getByRole('button').focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement).toBe(screen.getByLabelText('Find a book'));
});

test('a button without the focus moves no focus when it is removed', async () => {
  const actor = createActor(shelf).start();
  renderInShop(<Shelf actor={actor} stays={false} />);
  actor.send(retry);
  await screen.findByRole('heading', { name: 'loading' });
  expect(document.activeElement).toBe(document.body);
});

test('a button that stays keeps the focus while its machine is busy, and ignores a second press', async () => {
  const actor = createActor(shelf).start();
  renderInShop(<Shelf actor={actor} stays />);
  const button = screen.getByRole('button', { name: 'Retry' });
  button.focus();
  await userEvent.keyboard('{Enter}');
  expect([button.getAttribute('aria-disabled'), button]).toMatchObject(['true', { disabled: false }]);
  await userEvent.keyboard('{Enter}');
  expect(document.activeElement).toBe(button);
  actor.send({ type: 'books.came' });
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  expect(document.activeElement).toBe(button);
});
