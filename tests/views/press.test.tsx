import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSelector } from '@xstate/react';
import { expect, test } from 'vitest';
import { type ActorRefFrom, createActor, setup } from 'xstate';
import { EventButton } from '../../src/ui/EventButton.tsx';
import { EventLink } from '../../src/ui/EventLink.tsx';
import { passFocusWithin } from '../../src/views/pass-focus-within.ts';
import { show } from '../support/views/show.tsx';

const bell = setup({ types: { events: {} as { type: 'bell.rung' } | { type: 'bell.mended' } } }).createMachine({
  initial: 'whole',
  states: { whole: { on: { 'bell.rung': 'broken' } }, broken: { on: { 'bell.mended': 'whole' } } },
});

test('a press sends its event once, and is disabled while the machine does not accept it', async () => {
  const actor = createActor(bell).start();
  show(
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

test('a press that the machine does not accept can be left out', () => {
  const actor = createActor(bell).start();
  show(
    <EventButton actor={actor} event={{ type: 'bell.mended' }} denied="hidden">
      Mend
    </EventButton>,
  );
  expect(screen.queryByRole('button')).toBeNull();
});

test('while what it was pressed for is on its way, it keeps the focus and takes no second press', async () => {
  const sent: unknown[] = [];
  const actor = createActor(bell, { inspect: ({ type, ...event }) => type === '@xstate.event' && sent.push(event) }).start();
  const before = sent.length;
  show(
    <EventButton actor={actor} event={{ type: 'bell.rung' }} busy>
      Ring
    </EventButton>,
  );
  const button = screen.getByRole('button', { name: 'Ring' });
  expect(button).toHaveProperty('disabled', false);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  expect(document.activeElement).toBe(button);
  expect(sent).toHaveLength(before);
});

test('a link sends its event in place of leading on, unless it is opened in another tab', () => {
  const actor = createActor(bell).start();
  show(
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

test('a link whose event the machine does not accept can stay, and leads nowhere', () => {
  const actor = createActor(bell).start();
  show(
    <EventLink actor={actor} event={{ type: 'bell.mended' }} href="/bell" denied="disabled">
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

/** A screen of its own for each state, as flows draw them; or one that stays. */
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

test('the focus that a pressed button had goes to the screen that follows it, and stays there', async () => {
  const actor = createActor(shelf).start();
  show(<Shelf actor={actor} stays={false} />);
  screen.getByRole('button').focus();
  await userEvent.keyboard('{Enter}');
  expect(actor.getSnapshot().value).toBe('loading');
  await waitFor(() => expect(document.activeElement?.id).toBe('main'));
  actor.send({ type: 'books.came' });
  await screen.findByRole('heading', { name: 'shown' });
  expect(document.activeElement?.id).toBe('main');
});

test('what goes with a pressed button and knows a better place comes first, wherever it stands', async () => {
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
            <span hidden ref={passFocusWithin} />
          </div>
        ) : (
          <input aria-label="Find a book" />
        )}
      </section>
    );
  };
  show(<Aisle />);
  screen.getByRole('button').focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  expect(document.activeElement).toBe(screen.getByLabelText('Find a book'));
});

test('a button without the focus takes nobody’s along when it goes', async () => {
  const actor = createActor(shelf).start();
  show(<Shelf actor={actor} stays={false} />);
  actor.send(retry);
  await screen.findByRole('heading', { name: 'loading' });
  expect(document.activeElement).toBe(document.body);
});

test('a button that stays keeps the focus while its machine is busy, and takes no second press', async () => {
  const actor = createActor(shelf).start();
  show(<Shelf actor={actor} stays />);
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
