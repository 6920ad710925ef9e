import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { createActor, setup } from 'xstate';
import { EventButton } from '../../src/ui/EventButton.tsx';
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
