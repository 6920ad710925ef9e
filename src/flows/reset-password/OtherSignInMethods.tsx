import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { useId, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { resetPasswordMachine } from '../../../machines/account/reset-password.ts';
import { loginInputName, type RemovableLogin } from '../../../machines/model/account/reset.ts';
import { formatDateTime } from '../../brand/facts.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { chakra } from '../../ui/chakra.ts';

const Name = ({ kind, name }: Pick<RemovableLogin, 'kind' | 'name'>): ReactElement => {
  if (kind === 'passkey') return <Trans>Passkey “{name}”</Trans>;
  if (kind === 'provider') return <Trans>Sign-in with {name}</Trans>;
  if (kind === 'phone') return <Trans>Sign-in with a phone number</Trans>;
  return <Trans>Device: {name}</Trans>;
};

const Label = ({ method: { kind, name, usedAt } }: { method: RemovableLogin }): ReactElement => {
  const { i18n } = useLingui();
  return (
    <chakra.span display="block" overflowWrap="anywhere">
      <Name kind={kind} name={name} />
      {usedAt === '' ? null : (
        <chakra.span display="block" color="inkMuted" fontSize="sm">
          <Trans>
            Last sign-in: <time dateTime={usedAt}>{formatDateTime(usedAt, i18n.locale)}</time>
          </Trans>
        </chakra.span>
      )}
    </chakra.span>
  );
};

/**
 * The account's other sign-in methods, each with a checkbox to remove it. The boxes are checked by
 * default if the customer has reported that another person changed the account, and for methods
 * that are removed in any case.
 */
export const OtherSignInMethods = ({ actor }: { actor: ActorRefFrom<typeof resetPasswordMachine> }): ReactElement => {
  const id = useId();
  const { ways: methods, isNotMe } = useSelector(actor, ({ context }) => context);
  return (
    <chakra.fieldset border="none" p={0} m={0} minWidth="0" display="grid" gap={3} aria-describedby={id}>
      <chakra.legend fontWeight={600} mb={1}>
        <Trans>Remove other ways to sign in</Trans>
      </chakra.legend>
      <chakra.p id={id} color="inkMuted">
        {isNotMe ? (
          <Trans>Everything is ticked, in case another person added it. Untick what you recognise.</Trans>
        ) : (
          <Trans>Tick what you don’t recognise. It’s removed when you save.</Trans>
        )}{' '}
        {methods.some(({ goesAnyway }) => goesAnyway) ? (
          <Trans>
            Items that can’t be unticked are removed in any case, because your email address hadn’t been confirmed before.
          </Trans>
        ) : null}
      </chakra.p>
      {methods.map((method) => (
        <Checkbox
          key={loginInputName(method)}
          name={loginInputName(method)}
          defaultChecked={isNotMe || method.goesAnyway}
          disabled={method.goesAnyway}
          label={<Label method={method} />}
        />
      ))}
    </chakra.fieldset>
  );
};
