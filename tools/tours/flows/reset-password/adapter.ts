import type { resetPasswordMachine } from '../../../../machines/account/reset-password.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { withQuery } from '../../../../machines/model/paths.ts';
import type { ResetForm, RemovableLogin } from '../../../../machines/model/account/reset.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { requestResetPath } from '../../../browser/emails.ts';
import { getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, json, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/reset-password/paths.ts';

const headings: Headings<typeof resetPasswordMachine> = {
  loading: null,
  loadingWays: null,
  asking: 'Set a new password',
  saving: 'Set a new password',
  saved: 'Your password has been changed',
  over: 'This link no longer works',
  failed: 'We couldn’t check your link',
};

const newPassword = 'lamp and oil';

export const adapter: BrowserAdapter = {
  name: 'resetPassword',
  models,
  reusesPage: true,
  address: ({ route }: FlowInput) => withQuery(`/resetpassword/${'A'.repeat(43)}`, route.query),
  prepares: async (world, { input }) => {
    const isGood = getNextSettlement(world, 'checkLink')?.['output'] === true;
    if (!isGood) return undefined;
    return withQuery(await requestResetPath(world.shop, (await world.customer()).email), (input as FlowInput).route.query);
  },
  headings,
  // A device can be ticked only if one is listed.
  isPossible: ({ context }, event) =>
    event.type !== 'password.submitted' ||
    (event['pii'] as { form: ResetForm }).form.removed.length <= (context as { ways: RemovableLogin[] }).ways.length,
  ports: {
    checkLink: {
      asks: ({ pathname }) => /\/user\/token\/[^/]+$/.test(pathname),
      answer: (valid: boolean) => xml(renderElement('ResetToken', [renderFields({ Valid: valid })])),
      says: (valid: boolean, body) => body.includes(`<Valid>${valid}<`),
    },
    loadWays: {
      asks: ({ pathname }) => pathname.endsWith('/ways'),
      answer: (ways: RemovableLogin[]) =>
        json({ ways: ways.map(({ id: wayId, kind, name, usedAt }) => ({ kind, wayId, name, usedAt })) }),
    },
    savePassword: {
      asks: ({ pathname }) => pathname.endsWith('/user/resetpassword'),
      answer: () => xml(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: isDoneEvent,
    },
  },
  causes: {
    'password.submitted': async (world, event) => {
      await fillFields(world, { password: newPassword, again: newPassword });
      const { removed } = (event['pii'] as { form: ResetForm }).form;
      for (const tick of await world.flow.locator('input[type="checkbox"]').all()) await tick.setChecked(removed.length > 0);
      await press(world, event);
    },
    'password.rejected': async (world) => {
      await fillFields(world, { password: newPassword, again: 'oil and lamp' });
      await press(world, { type: 'password.submitted' });
    },
  },
};
