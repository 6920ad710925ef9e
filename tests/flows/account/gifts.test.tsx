import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { giftsMachine, type GiftToSend } from '../../../machines/account/gifts.ts';
import type { GivenGift } from '../../../machines/model/buying/gift.ts';
import { requestPort } from '../../../machines/ports.ts';
import { Gifts } from '../../../src/flows/account/Gifts.tsx';
import { answers, rejects, underShop, type Port } from '../../support/views/flow.ts';
import { show, stateOf } from '../../support/views/show.tsx';
import { given } from '../../../machines/path-models/flows/account/gifts-paths.ts';

const all: GivenGift[] = [
  given(),
  given({ giftId: 'g2', deliverOn: '2026-12-24', sentAt: '', status: 'scheduled', pii: { name: 'Cy', email: 'cy@example.com' } }),
  given({ giftId: 'g3', status: 'sending', pii: { name: 'Di', email: 'di@example.com' } }),
  given({ giftId: 'g4', status: 'failed', pii: { name: 'Ed', email: 'ed@example.com' } }),
  given({ giftId: 'g5', status: 'redeemed', redeemedAt: '2026-01-02T10:00:00Z', pii: { name: 'Fe', email: 'fe@example.com' } }),
  given({ giftId: 'g6', status: 'refunded', pii: { name: 'Gi', email: 'gi@example.com' } }),
];

const start = (sendGift: Port<GivenGift, GiftToSend>, gifts: GivenGift[] | null = all) => {
  const machine = giftsMachine.provide({ actors: { loadGifts: answers(gifts), sendGift } });
  return show(<Gifts actor={underShop(machine, undefined).actor} />);
};

const lines = () => screen.getAllByRole('listitem');

test('each gift says for whom it is, and what has become of it', async () => {
  start(answers(given()));
  await waitFor(() => expect(lines()).toHaveLength(6));
  const texts = lines().map(({ textContent }) => textContent ?? '');
  expect(texts[0]).toMatch(
    /^The Keeper’s Third LogFor Bo Quay, bo@example\.comSent \w+ \d+, 202[56] at .*ReceiptSend againCorrect the address…$/,
  );
  expect(texts[1]).toBe('The Keeper’s Third LogFor Cy, cy@example.comGoes out on December 24, 2026ReceiptCorrect the address…');
  expect(texts[2]).toContain('On its way');
  expect(texts[3]).toContain('Couldn’t be sent. Please check the address.');
  expect(texts[4]).toMatch(/Opened \w+ \d+, 2026 at .*Receipt$/);
  expect(texts[5]).toMatch(/RefundedReceipt$/);
});

test('nothing was given', async () => {
  start(answers(given()), []);
  expect(await screen.findByText(/You haven’t given anything yet/)).toBeDefined();
});

test('nothing is seen of gifts where the server does not list them', async () => {
  const container = start(answers(given()), null);
  await waitFor(() => expect(stateOf(container, 'gifts')).toBe('none'));
  expect(screen.queryByRole('heading')).toBeNull();
});

test('one is sent again, and a screen reader hears of it', async () => {
  const sent: GiftToSend[] = [];
  const container = start(
    requestPort<GivenGift, GiftToSend>(async ({ input }) => {
      sent.push(input);
      return given({ status: 'sending' });
    }),
  );
  const button = await screen.findByRole('button', { name: 'Send the gift for Bo Quay again' });
  const status = screen.getByRole('status');
  await userEvent.click(button);
  await waitFor(() => expect(status.textContent).toBe('The gift is on its way to bo@example.com again.'));
  expect(sent).toEqual([{ giftId: 'g1', pii: { form: null } }]);
  expect(stateOf(container, 'gifts')).toBe('shown');
  expect(lines()[0]?.textContent).toContain('On its way');
});

test('an address is corrected before its day, and nothing goes out', async () => {
  const sent: GiftToSend[] = [];
  const corrected = { name: 'Cy', email: 'cyd@example.com' };
  start(
    requestPort<GivenGift, GiftToSend>(async ({ input }) => {
      sent.push(input);
      return given({ giftId: 'g2', status: 'scheduled', deliverOn: '2026-12-24', pii: corrected });
    }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Correct the address of the gift for Cy' }));
  const field = screen.getByLabelText('Recipient’s email address');
  expect(field).toHaveProperty('value', 'cy@example.com');
  await userEvent.clear(field);
  await userEvent.type(field, 'no address');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByText('This doesn’t look like an email address.')).toBeDefined();
  await userEvent.clear(field);
  await userEvent.type(field, 'cyd@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('The gift will go to cyd@example.com.'));
  expect(sent).toEqual([{ giftId: 'g2', pii: { form: { email: 'cyd@example.com' } } }]);
});

test.each([
  ['gift_redeemed', 'This gift has been opened already.'],
  ['gift_letters_used', 'This gift has been sent ten times. It can’t be sent again.'],
  ['gift_link', 'Its name or message has a web or email address in it. It can’t be sent again.'],
  ['gift_just_sent', 'It has just been sent. You can send it again in a few minutes.'],
  ['too_many_requests', 'Too many attempts. Please try again later.'],
])('why it was not sent again (%s) is said', async (code, words) => {
  start(rejects({ kind: 'refused', code, message: '' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Send the gift for Bo Quay again' }));
  expect((await screen.findByRole('alert')).textContent).toContain(words);
});

test('a correction that failed can be sent once more, or left', async () => {
  const container = start(rejects({ kind: 'offline' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Correct the address of the gift for Ed' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send the gift' }));
  const line = await screen.findByRole('alert');
  expect(stateOf(container, 'gifts')).toBe('correcting');
  expect(within(lines()[3] as HTMLElement).getByRole('alert')).toBe(line);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alert')).toBeNull();
});
