import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { credentialsMachine } from '../../../machines/account/credentials.ts';
import { dataDownloadMachine } from '../../../machines/account/data-download.ts';
import { deletionMachine } from '../../../machines/account/deletion.ts';
import { detailsMachine } from '../../../machines/account/details.ts';
import { phoneMachine, type CodeRequest } from '../../../machines/account/phone.ts';
import type { Details as OwnDetails, DetailsForm } from '../../../machines/model/account/details.ts';
import type { OwnPassword, PasswordChangeForm } from '../../../machines/model/account/password.ts';
import type { PhoneCodeRequest } from '../../../machines/model/account/phone.ts';
import { safePort } from '../../../machines/ports.ts';
import { Credentials } from '../../../src/flows/account/Credentials.tsx';
import { DataDownload } from '../../../src/flows/account/DataDownload.tsx';
import { Deletion } from '../../../src/flows/account/Deletion.tsx';
import { Details } from '../../../src/flows/account/Details.tsx';
import { PhoneSignIn } from '../../../src/views/lazy/PhoneSignIn.tsx';
import { answeringPort, startUnderShop } from '../../support/views/flow.ts';
import { renderInShop } from '../../support/views/show.tsx';

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
const typeInto = (label: string, text: string): Promise<void> => userEvent.type(screen.getByLabelText(label), text);
const hasPassword = safePort<boolean>(
  async () => true,
  () => true,
);

type Case = { screen: () => ReactElement; firstButton: string; act: () => Promise<void>; announcement: RegExp };

const phoneCase = (sentAt: string | null) => ({
  screen: () => {
    const sendCode = answeringPort<PhoneCodeRequest, CodeRequest>({ sentAt, pii: { requestId: 'r1' } });
    return <PhoneSignIn actor={startUnderShop(phoneMachine.provide({ actors: { sendCode } }), { remember: true }).actor} />;
  },
  firstButton: 'Send code',
  act: async () => {
    await typeInto('Phone number', '+44 7700 900123');
    await press('Send code');
  },
});

const cases: Record<string, Case> = {
  'details are saved': {
    screen: () => {
      const loadDetails = answeringPort<OwnDetails, undefined>({ customFields: [], pii: { name: 'Ann', custom: {} } });
      const saveDetails = answeringPort<object, { pii: { form: DetailsForm | null } }>({});
      return (
        <Details actor={startUnderShop(detailsMachine.provide({ actors: { loadDetails, saveDetails } }), undefined).actor} />
      );
    },
    firstButton: 'Save',
    act: () => press('Save'),
    announcement: /^Saved\.$/,
  },
  'the customer’s data is downloaded': {
    screen: () => {
      const saveData = answeringPort<object, undefined>({});
      return <DataDownload actor={startUnderShop(dataDownloadMachine.provide({ actors: { saveData } }), undefined).actor} />;
    },
    firstButton: 'Download my data',
    act: () => press('Download my data'),
    announcement: /^The file is in your downloads\.$/,
  },
  'a password is changed': {
    screen: () => {
      const savePassword = answeringPort<object, { pii: { form: PasswordChangeForm | null } }>({});
      const machine = credentialsMachine.provide({ actors: { hasPassword, savePassword } });
      return <Credentials actor={startUnderShop(machine, undefined).actor} />;
    },
    firstButton: 'Change password…',
    act: async () => {
      await press('Change password…');
      await typeInto('New password', 'oil for the lamp');
      await typeInto('New password again', 'oil for the lamp');
      await typeInto('Your current password', 'an older password');
      await press('Save');
    },
    announcement: /^Your password has been changed\./,
  },
  'an account is deleted': {
    screen: () => {
      const deleteAccount = answeringPort<object, { pii: { form: OwnPassword | null } }>({});
      const machine = deletionMachine.provide({ actors: { hasPassword, deleteAccount } });
      return <Deletion actor={startUnderShop(machine, undefined).actor} />;
    },
    firstButton: 'Delete account…',
    act: async () => {
      await press('Delete account…');
      await waitFor(() => screen.getByLabelText('Your password'));
      await typeInto('Your password', 'oil for the lamp');
      await press('Delete my account for good');
    },
    announcement: /^Your account has been deleted\./,
  },
  'a code goes to a telephone': {
    ...phoneCase(null),
    announcement: /^We’ve texted you a code\.$/,
  },
  'an earlier message has the code for a telephone': {
    ...phoneCase('2026-11-24T14:05:00.000Z'),
    announcement: /^You already have a text message with a valid code \(24 November 2026 at \d\d:05\)\. Enter that code\.$/,
  },
};

test.each(Object.entries(cases))('when %s, a status element that existed before, empty, announces this', async (_, testCase) => {
  renderInShop(testCase.screen());
  await screen.findByRole('button', { name: testCase.firstButton });
  const statuses = screen.getAllByRole('status');
  expect(statuses.map(({ textContent }) => textContent)).toEqual(['']);
  await testCase.act();
  await waitFor(() => expect(statuses[0]?.textContent).toMatch(testCase.announcement));
  expect(statuses[0]?.isConnected).toBe(true);
});
