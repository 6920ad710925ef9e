import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { giftsMachine, type GiftToSend } from '../../../machines/account/gifts.ts';
import type { GivenGift } from '../../../machines/model/buying/gift.ts';
import { requestPort } from '../../../machines/ports.ts';
import { Gifts } from '../../../src/flows/account/Gifts.tsx';
import { answeringPort, rejectingPort, startUnderShop, type Port } from '../../support/views/flow.ts';
import { renderInShop, readState } from '../../support/views/show.tsx';
import { createGift } from '../../../machines/path-models/flows/account/gifts-paths.ts';

const allGifts: GivenGift[] = [
  createGift(),
  createGift({
    giftId: 'g2',
    deliverOn: '2026-12-24',
    sentAt: '',
    status: 'scheduled',
    pii: { name: 'Cy', email: 'cy@example.com' },
  }),
  createGift({ giftId: 'g3', status: 'sending', pii: { name: 'Di', email: 'di@example.com' } }),
  createGift({ giftId: 'g4', status: 'failed', pii: { name: 'Ed', email: 'ed@example.com' } }),
  createGift({
    giftId: 'g5',
    status: 'redeemed',
    redeemedAt: '2026-01-02T10:00:00Z',
    pii: { name: 'Fe', email: 'fe@example.com' },
  }),
  createGift({ giftId: 'g6', status: 'refunded', pii: { name: 'Gi', email: 'gi@example.com' } }),
];

const start = (sendGift: Port<GivenGift, GiftToSend>, gifts: GivenGift[] | null = allGifts) => {
  const machine = giftsMachine.provide({ actors: { loadGifts: answeringPort(gifts), sendGift } });
  return renderInShop(<Gifts actor={startUnderShop(machine, undefined).actor} />);
};

const listItems = () => screen.getAllByRole('listitem');

test('each gift shows its recipient and its status', async () => {
  start(answeringPort(createGift()));
  await waitFor(() => expect(listItems()).toHaveLength(6));
  const texts = listItems().map(({ textContent }) => textContent ?? '');
  expect(texts[0]).toMatch(
    /^The Keeper’s Third LogFor Bo Quay, bo@example\.comSent \d+ \w+ 202[56] at .*ReceiptSend againCorrect the address…$/,
  );
  expect(texts[1]).toBe(
    'The Keeper’s Third LogFor Cy, cy@example.comWill be sent on 24 December 2026ReceiptCorrect the address…',
  );
  expect(texts[2]).toContain('On its way');
  expect(texts[3]).toContain('Couldn’t be sent. Please check the address.');
  expect(texts[4]).toMatch(/Opened \d+ \w+ 2026 at .*Receipt$/);
  expect(texts[5]).toMatch(/RefundedReceipt$/);
});

test('without gifts there is a message', async () => {
  start(answeringPort(createGift()), []);
  expect(await screen.findByText(/You haven’t given anything yet/)).toBeDefined();
});

test('gifts are hidden when the server does not list them', async () => {
  const container = start(answeringPort(createGift()), null);
  await waitFor(() => expect(readState(container, 'gifts')).toBe('none'));
  expect(screen.queryByRole('heading')).toBeNull();
});

test('a gift is sent again, and this is announced', async () => {
  const sentGifts: GiftToSend[] = [];
  const container = start(
    requestPort<GivenGift, GiftToSend>(async ({ input }) => {
      sentGifts.push(input);
      return createGift({ status: 'sending' });
    }),
  );
  const button = await screen.findByRole('button', { name: 'Send the gift for Bo Quay again' });
  const status = screen.getByRole('status');
  await userEvent.click(button);
  await waitFor(() => expect(status.textContent).toBe('The gift is on its way to bo@example.com again.'));
  expect(sentGifts).toEqual([{ giftId: 'g1', pii: { form: null } }]);
  expect(readState(container, 'gifts')).toBe('shown');
  expect(listItems()[0]?.textContent).toContain('On its way');
});

test('a recipient’s address that is corrected before the delivery date is saved, and the gift stays scheduled', async () => {
  const sentGifts: GiftToSend[] = [];
  const correctedRecipient = { name: 'Cy', email: 'cyd@example.com' };
  start(
    requestPort<GivenGift, GiftToSend>(async ({ input }) => {
      sentGifts.push(input);
      return createGift({ giftId: 'g2', status: 'scheduled', deliverOn: '2026-12-24', pii: correctedRecipient });
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
  expect(sentGifts).toEqual([{ giftId: 'g2', pii: { form: { email: 'cyd@example.com' } } }]);
});

test.each([
  ['gift_redeemed', 'This gift has been opened already.'],
  ['gift_letters_used', 'This gift has been sent ten times. It can’t be sent again.'],
  ['gift_link', 'Its name or message has a web or email address in it. It can’t be sent again.'],
  ['gift_just_sent', 'It has just been sent. You can send it again in a few minutes.'],
  ['too_many_requests', 'Too many attempts. Please try again later.'],
])('the reason why a gift was not sent again (%s) is shown', async (code, expectedText) => {
  start(rejectingPort({ kind: 'refused', code, message: '' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Send the gift for Bo Quay again' }));
  expect((await screen.findByRole('alert')).textContent).toContain(expectedText);
});

test('a failed correction shows its reason beside the gift, and can be cancelled', async () => {
  const container = start(rejectingPort({ kind: 'offline' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Correct the address of the gift for Ed' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send the gift' }));
  const alert = await screen.findByRole('alert');
  expect(readState(container, 'gifts')).toBe('correcting');
  expect(within(listItems()[3] as HTMLElement).getByRole('alert')).toBe(alert);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('alert')).toBeNull();
});
