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
import type { CodeSent } from '../../../machines/model/account/phone.ts';
import { safePort } from '../../../machines/ports.ts';
import { Credentials } from '../../../src/flows/account/Credentials.tsx';
import { DataDownload } from '../../../src/flows/account/DataDownload.tsx';
import { Deletion } from '../../../src/flows/account/Deletion.tsx';
import { Details } from '../../../src/flows/account/Details.tsx';
import { PhoneSignIn } from '../../../src/views/late/PhoneSignIn.tsx';
import { answers, underShop } from '../../support/views/flow.ts';
import { show } from '../../support/views/show.tsx';

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
const type = (label: string, text: string): Promise<void> => userEvent.type(screen.getByLabelText(label), text);
const hasPassword = safePort<boolean>(
  async () => true,
  () => true,
);

type Case = { screen: () => ReactElement; first: string; act: () => Promise<void>; words: RegExp };

const codeAsked = (sentAt: string | null) => ({
  screen: () => {
    const sendCode = answers<CodeSent, CodeRequest>({ sentAt, pii: { requestId: 'r1' } });
    return <PhoneSignIn actor={underShop(phoneMachine.provide({ actors: { sendCode } }), { remember: true }).actor} />;
  },
  first: 'Send code',
  act: async () => {
    await type('Phone number', '+44 7700 900123');
    await press('Send code');
  },
});

const cases: Record<string, Case> = {
  'details are saved': {
    screen: () => {
      const loadDetails = answers<OwnDetails, undefined>({ customFields: [], pii: { name: 'Ann', custom: {} } });
      const saveDetails = answers<object, { pii: { form: DetailsForm | null } }>({});
      return <Details actor={underShop(detailsMachine.provide({ actors: { loadDetails, saveDetails } }), undefined).actor} />;
    },
    first: 'Save',
    act: () => press('Save'),
    words: /^Saved\.$/,
  },
  'the customer’s data is downloaded': {
    screen: () => {
      const saveData = answers<object, undefined>({});
      return <DataDownload actor={underShop(dataDownloadMachine.provide({ actors: { saveData } }), undefined).actor} />;
    },
    first: 'Download my data',
    act: () => press('Download my data'),
    words: /^The file is in your downloads\.$/,
  },
  'a password is changed': {
    screen: () => {
      const savePassword = answers<object, { pii: { form: PasswordChangeForm | null } }>({});
      const machine = credentialsMachine.provide({ actors: { hasPassword, savePassword } });
      return <Credentials actor={underShop(machine, undefined).actor} />;
    },
    first: 'Change password…',
    act: async () => {
      await press('Change password…');
      await type('New password', 'oil for the lamp');
      await type('New password again', 'oil for the lamp');
      await type('Your current password', 'an older password');
      await press('Save');
    },
    words: /^Your password has been changed\./,
  },
  'an account is deleted': {
    screen: () => {
      const deleteAccount = answers<object, { pii: { form: OwnPassword | null } }>({});
      const machine = deletionMachine.provide({ actors: { hasPassword, deleteAccount } });
      return <Deletion actor={underShop(machine, undefined).actor} />;
    },
    first: 'Delete account…',
    act: async () => {
      await press('Delete account…');
      await waitFor(() => screen.getByLabelText('Your password'));
      await type('Your password', 'oil for the lamp');
      await press('Delete my account for good');
    },
    words: /^Your account has been deleted\./,
  },
  'a code goes to a telephone': {
    ...codeAsked(null),
    words: /^We’ve texted you a code\.$/,
  },
  'an earlier message has the code for a telephone': {
    ...codeAsked('2026-11-24T14:05:00.000Z'),
    words: /^You already have a text message with a code that works \(November 24, 2026 at \d\d?:05 [AP]M\)\. Enter that code\.$/,
  },
};

test.each(Object.entries(cases))('when %s, a status says so that was in the page before, empty', async (_, each) => {
  show(each.screen());
  await screen.findByRole('button', { name: each.first });
  const statuses = screen.getAllByRole('status');
  expect(statuses.map(({ textContent }) => textContent)).toEqual(['']);
  await each.act();
  await waitFor(() => expect(statuses[0]?.textContent).toMatch(each.words));
  expect(statuses[0]?.isConnected).toBe(true);
});
