import type { resetPasswordMachine } from '../../../../machines/account/reset-password.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import { withQuery } from '../../../../machines/model/paths.ts';
import type { ResetForm, RemovableLogin } from '../../../../machines/model/account/reset.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { requestResetPath } from '../../../browser/emails.ts';
import { getNextSettlement } from '../../causes.ts';
import { press } from '../../press.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { fillFields, isDoneEvent, toJsonResponse, toXmlResponse } from '../../wires.ts';
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
  getStartPath: ({ route }: FlowInput) => withQuery(`/resetpassword/${'A'.repeat(43)}`, route.query),
  prepare: async (walk, { input }) => {
    const isLinkValid = getNextSettlement(walk, 'checkLink')?.['output'] === true;
    if (!isLinkValid) return undefined;
    return withQuery(await requestResetPath(walk.shop, (await walk.getCustomer()).email), (input as FlowInput).route.query);
  },
  headings,
  // A sign-in method can be ticked only if it is listed.
  isPossible: ({ context }, event) =>
    event.type !== 'password.submitted' ||
    (event['pii'] as { form: ResetForm }).form.removed.length <= (context as { ways: RemovableLogin[] }).ways.length,
  ports: {
    checkLink: {
      matches: ({ pathname }) => /\/user\/token\/[^/]+$/.test(pathname),
      toResponse: (valid: boolean) => toXmlResponse(renderElement('ResetToken', [renderFields({ Valid: valid })])),
      isEquivalent: (valid: boolean, body) => body.includes(`<Valid>${valid}<`),
    },
    loadResetMethods: {
      matches: ({ pathname }) => pathname.endsWith('/ways'),
      toResponse: (ways: RemovableLogin[]) =>
        toJsonResponse({ ways: ways.map(({ id: wayId, kind, name, usedAt }) => ({ kind, wayId, name, usedAt })) }),
    },
    savePassword: {
      matches: ({ pathname }) => pathname.endsWith('/user/resetpassword'),
      toResponse: () => toXmlResponse(renderElement('Result', [renderFields({ Status: 'Ok' })])),
      serverWillAnswer: isDoneEvent,
    },
  },
  causes: {
    'password.submitted': async (walk, event) => {
      await fillFields(walk, { password: newPassword, again: newPassword });
      const { removed } = (event['pii'] as { form: ResetForm }).form;
      for (const checkbox of await walk.flow.locator('input[type="checkbox"]').all())
        await checkbox.setChecked(removed.length > 0);
      await press(walk, event);
    },
    'password.rejected': async (walk) => {
      await fillFields(walk, { password: newPassword, again: 'oil and lamp' });
      await press(walk, { type: 'password.submitted' });
    },
  },
};
