import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { cardsMachine } from '../../../machines/account/cards.ts';
import type { AddedCard, Card, CardForm } from '../../../machines/model/buying/card.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { requestPort } from '../../../machines/ports.ts';
import { Cards } from '../../../src/flows/account/Cards.tsx';
import { answeringPort, rejectingPort, startUnderShop } from '../../support/views/flow.ts';
import { renderInShop, readState } from '../../support/views/show.tsx';

const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/34' } };
const expiredCard: Card = { id: 'c2', isDefault: false, isExpired: true, pii: { brand: '', last4: '3184', expiry: '01/20' } };
const minimalCard: Card = { id: 'c3', isDefault: false, isExpired: false, pii: { brand: 'Visa', last4: '', expiry: '' } };

type Actors = NonNullable<Parameters<typeof cardsMachine.provide>[0]['actors']>;

const start = (actors: Actors = {}) => {
  const machine = cardsMachine.provide({
    actors: {
      addCard: answeringPort<AddedCard | null, undefined>(null),
      loadCards: answeringPort<Card[], undefined>([visa, expiredCard, minimalCard]),
      ...actors,
    },
  });
  const { actor, receivedEvents } = startUnderShop(machine, undefined);
  return { container: renderInShop(<Cards actor={actor} />), events: receivedEvents };
};

const listItems = () => screen.getAllByRole('listitem');
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

test('each card shows its name, its date and its actions; the default card and an expired card are marked', async () => {
  start();
  await waitFor(() => expect(listItems()).toHaveLength(3));
  expect(listItems().map(({ textContent }) => textContent)).toEqual([
    'Visa ending in 4242Expires 12/34DefaultRemove',
    'Card ending in 3184Expired 01/20Use by defaultRemove',
    'VisaUse by defaultRemove',
  ]);
  expect(screen.getByRole('button', { name: 'Use by default: Card ending in 3184' })).toBeDefined();
});

test('without cards there is a message, and a button that adds the first card', async () => {
  const { events } = start({
    loadCards: answeringPort<Card[], undefined>([]),
    startCard: answeringPort<{ url: string | null }, undefined>({ url: 'https://pay.example/setup/1' }),
  });
  await screen.findByText('You haven’t saved any cards.');
  await press('Add a card');
  await waitFor(() => expect(events).toEqual([{ type: 'leave', url: 'https://pay.example/setup/1' }]));
});

test('an added card is announced, and has the focus', async () => {
  start({ addCard: answeringPort<AddedCard | null, undefined>({ cards: [visa, expiredCard], addedId: 'c1' }) });
  const notice = await screen.findByText('Visa ending in 4242 has been added.');
  expect(notice.getAttribute('role')).toBe('status');
  expect(document.activeElement).toBe(notice);
  expect(listItems()).toHaveLength(2);
});

test('the confirmation of a removal names the card and takes the focus; “Keep card” returns the focus', async () => {
  const { container } = start();
  await press('Remove Card ending in 3184');
  const question = screen.getByRole('group', { name: 'Remove Card ending in 3184?' });
  expect(document.activeElement).toBe(question);
  expect(readState(container, 'cards')).toBe('asking');
  expect(screen.getByRole('button', { name: 'Remove Visa ending in 4242' })).toHaveProperty('disabled', true);
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe('Remove card');
  await press('Keep card');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove Card ending in 3184');
  expect(listItems()).toHaveLength(3);
});

test('a removed card disappears; its notice says so and has the focus', async () => {
  start({ removeCard: answeringPort<Card[], { cardId: string }>([visa]) });
  await press('Remove Card ending in 3184');
  await press('Remove card');
  await waitFor(() => expect(listItems()).toHaveLength(1));
  expect(document.activeElement?.textContent).toBe('Card ending in 3184 has been removed.');
});

test('a new default card is announced', async () => {
  start({
    changeDefault: answeringPort<Card[], { cardId: string }>([
      { ...expiredCard, isDefault: true },
      { ...visa, isDefault: false },
    ]),
  });
  await press('Use by default: Card ending in 3184');
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Card ending in 3184 is now used by default.'));
  expect(within(listItems()[0] as HTMLElement).getByText('Default')).toBeDefined();
});

test.each<[string, Problem, string]>([
  [
    'a gateway that does not respond',
    { kind: 'refused', code: 'payment_unavailable', message: '' },
    'The payment service isn’t responding',
  ],
  ['a shop that stores no cards', { kind: 'refused', code: 'not_implemented', message: '' }, 'This shop doesn’t offer that yet.'],
])('%s is explained in a matching message, without any mention of charges', async (_, problem, expectedText) => {
  start({ startCard: rejectingPort<{ url: string | null }, undefined>(problem) });
  await press('Add a card');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain(expectedText);
  expect(alert.textContent).not.toContain('charged');
  expect(screen.getByRole('button', { name: 'Add a card' })).toHaveProperty('disabled', false);
});

test('the addition of a card can be retried after a connection failure', async () => {
  start({ addCard: rejectingPort<AddedCard | null, undefined>({ kind: 'offline' }) });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Your card hasn’t been added yet.');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  expect(listItems()).toHaveLength(3);
});

test('a refused card must be entered again, without a retry', async () => {
  start({ addCard: rejectingPort<AddedCard | null, undefined>({ kind: 'refused', code: 'card_over', message: '' }) });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Please add it again.');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('when the server has no card page, the typed card is sent once its number is valid', async () => {
  const sentForms: unknown[] = [];
  const { container } = start({
    loadCards: answeringPort<Card[], undefined>([]),
    startCard: answeringPort<{ url: string | null }, undefined>({ url: null }),
    sendCard: requestPort<AddedCard, { pii: { form: CardForm | null } }>(async ({ input }) => {
      sentForms.push(input.pii.form);
      return { cards: [visa], addedId: 'c1' };
    }),
  });
  await press('Add a card');
  const number = await screen.findByLabelText('Card number');
  await userEvent.type(number, '4242 4242 4242 4241');
  await userEvent.type(screen.getByLabelText('Expires (MM/YY)'), '9/2031');
  await userEvent.type(screen.getByLabelText('Security code'), '123');
  await userEvent.type(screen.getByLabelText('Name on the card'), 'Ann Lee{Enter}');
  await screen.findByText('This doesn’t look like a card number.');
  expect(sentForms).toEqual([]);
  expect(document.activeElement).toBe(number);
  await userEvent.type(number, '{Backspace}2{Enter}');
  await screen.findByText('Visa ending in 4242 has been added.');
  expect(sentForms).toEqual([{ cardNumber: '4242424242424242', cardExpiry: '09/31', cardCode: '123', cardName: 'Ann Lee' }]);
  expect(readState(container, 'cards')).toEqual({ shown: 'whole' });
});

test('the card form can be cancelled', async () => {
  start({ startCard: answeringPort<{ url: string | null }, undefined>({ url: null }) });
  await press('Add a card');
  await press('Cancel');
  await waitFor(() => expect(listItems()).toHaveLength(3));
});
