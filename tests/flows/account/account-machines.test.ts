import { expect, test } from 'vitest';
import { detailsMachine } from '../../../machines/account/details.ts';
import { devicesMachine } from '../../../machines/account/devices.ts';
import { giftsMachine } from '../../../machines/account/gifts.ts';
import { problems } from '../../../machines/path-models/path-model.ts';
import { stepThrough, getContext, doneEvent, errorEvent } from '../../support/steps.ts';
import { createGift } from '../../../machines/path-models/flows/account/gifts-paths.ts';

test('details are marked as saved until they are submitted again', () => {
  const detailsSubmitted = { type: 'details.submitted', pii: { form: { name: 'Ann', custom: {} } } };
  const detailsLoaded = doneEvent('loadDetails', { customFields: [], pii: { name: '', custom: {} } });
  const savedEvents = [detailsLoaded, detailsSubmitted, doneEvent('saveDetails', {})];
  expect(getContext(stepThrough(detailsMachine, undefined, ...savedEvents))['saved']).toBe(true);
  const resubmittedEvents = [...savedEvents, detailsSubmitted, errorEvent('saveDetails', problems.offline)];
  expect(getContext(stepThrough(detailsMachine, undefined, ...resubmittedEvents))['saved']).toBe(false);
});

test('a signed-out device is announced until the next device is signed out', () => {
  const makeDevice = (id: string) => ({ id, name: `Browser ${id}`, lastSeenAt: '', isThis: false });
  const makeRemovePress = (deviceId: string) => ({ type: 'remove.pressed', deviceId });
  const removedEvents = [
    doneEvent('loadDevices', ['d1', 'd2'].map(makeDevice)),
    makeRemovePress('d1'),
    doneEvent('removeDevice', {}),
  ];
  expect(getContext(stepThrough(devicesMachine, undefined, ...removedEvents))['removed']).toEqual(makeDevice('d1'));
  expect(getContext(stepThrough(devicesMachine, undefined, ...removedEvents, makeRemovePress('d2')))['removed']).toBeNull();
});

test.each([
  ['sent', 'sending'],
  ['failed', 'sending'],
  ['scheduled', 'shown'],
  ['redeemed', 'shown'],
] as const)('a press on “Send again” of a gift that is %s leads to the state “%s”', (status, expectedState) => {
  const resendPressed = { type: 'resend.pressed', giftId: 'g1' };
  expect(
    stepThrough(giftsMachine, undefined, doneEvent('loadGifts', [createGift({ status })]), resendPressed).snapshot.value,
  ).toBe(expectedState);
});
