import { expect, test } from 'vitest';
import { detailsMachine } from '../../../machines/account/details.ts';
import { devicesMachine } from '../../../machines/account/devices.ts';
import { giftsMachine } from '../../../machines/account/gifts.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { after, contextOf, done, failed } from '../../support/steps.ts';
import { given } from '../../../machines/path-models/flows/account/gifts-paths.ts';

test('details are called saved until something else is sent', () => {
  const submitted = { type: 'details.submitted', pii: { form: { name: 'Ann', custom: {} } } };
  const loaded = done('loadDetails', { customFields: [], pii: { name: '', custom: {} } });
  const saved = [loaded, submitted, done('saveDetails', {})];
  expect(contextOf(after(detailsMachine, undefined, ...saved))['saved']).toBe(true);
  const again = [...saved, submitted, failed('saveDetails', problems.offline)];
  expect(contextOf(after(detailsMachine, undefined, ...again))['saved']).toBe(false);
});

test('a device that was signed out is named until another one is', () => {
  const device = (id: string) => ({ id, name: `Browser ${id}`, lastSeenAt: '', isThis: false });
  const remove = (deviceId: string) => ({ type: 'remove.pressed', deviceId });
  const removed = [done('loadDevices', ['d1', 'd2'].map(device)), remove('d1'), done('removeDevice', {})];
  expect(contextOf(after(devicesMachine, undefined, ...removed))['removed']).toEqual(device('d1'));
  expect(contextOf(after(devicesMachine, undefined, ...removed, remove('d2')))['removed']).toBeNull();
});

test.each([
  ['sent', 'sending'],
  ['failed', 'sending'],
  ['scheduled', 'shown'],
  ['redeemed', 'shown'],
] as const)('a gift that is %s, and sent again: %s', (status, value) => {
  const pressed = { type: 'resend.pressed', giftId: 'g1' };
  expect(after(giftsMachine, undefined, done('loadGifts', [given({ status })]), pressed).snapshot.value).toBe(value);
});
