import { expect, test } from 'vitest';
import { detailsMachine } from '../../../machines/account/details.ts';
import { devicesMachine } from '../../../machines/account/devices.ts';
import { giftsMachine } from '../../../machines/account/gifts.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent } from '../../support/steps.ts';
import { createGift } from '../../../machines/path-models/flows/account/gifts-paths.ts';

test('details stay marked as saved until another value is sent', () => {
  const submitted = { type: 'details.submitted', pii: { form: { name: 'Ann', custom: {} } } };
  const loaded = doneEvent('loadDetails', { customFields: [], pii: { name: '', custom: {} } });
  const saved = [loaded, submitted, doneEvent('saveDetails', {})];
  expect(getContext(stepThrough(detailsMachine, undefined, ...saved))['saved']).toBe(true);
  const again = [...saved, submitted, errorEvent('saveDetails', problems.offline)];
  expect(getContext(stepThrough(detailsMachine, undefined, ...again))['saved']).toBe(false);
});

test('a signed-out device is announced until the next one is', () => {
  const device = (id: string) => ({ id, name: `Browser ${id}`, lastSeenAt: '', isThis: false });
  const remove = (deviceId: string) => ({ type: 'remove.pressed', deviceId });
  const removed = [doneEvent('loadDevices', ['d1', 'd2'].map(device)), remove('d1'), doneEvent('removeDevice', {})];
  expect(getContext(stepThrough(devicesMachine, undefined, ...removed))['removed']).toEqual(device('d1'));
  expect(getContext(stepThrough(devicesMachine, undefined, ...removed, remove('d2')))['removed']).toBeNull();
});

test.each([
  ['sent', 'sending'],
  ['failed', 'sending'],
  ['scheduled', 'shown'],
  ['redeemed', 'shown'],
] as const)('a gift that is %s, and sent again: %s', (status, value) => {
  const pressed = { type: 'resend.pressed', giftId: 'g1' };
  expect(stepThrough(giftsMachine, undefined, doneEvent('loadGifts', [createGift({ status })]), pressed).snapshot.value).toBe(
    value,
  );
});
