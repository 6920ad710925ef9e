import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { passkeysMachine } from '../../../machines/account/passkeys.ts';
import type { PasskeyNotice } from '../../../machines/account/passkeys-setup.ts';
import { PasskeyNameForm, type Passkey } from '../../../machines/model/account/passkey.ts';
import type { Problem } from '../../../machines/model/problem.ts';
import { formatDateTime } from '../../brand/facts.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Loading, Spinner } from '../../ui/Loading.tsx';
import type { Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { formatFieldProblem } from '../../views/lazy/field-problem-text.tsx';
import { MachineForm } from '../../views/MachineForm.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Done } from './Done.tsx';
import { FormAnswers } from './FormAnswers.tsx';
import { Row, RowButton } from './Row.tsx';
import { RefusedAbove } from './Refused.tsx';
import { RemovalQuestion, useIsConfirmingRemoval } from './RemovalQuestion.tsx';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof passkeysMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your passkeys…</Trans>
  </Loading>
);

const Notice = ({ what: change, name }: PasskeyNotice): ReactElement => (
  <Done>
    {change === 'added' ? (
      <Trans>The passkey “{name}” has been added. You can now sign in with it.</Trans>
    ) : change === 'renamed' ? (
      <Trans>The passkey is now called “{name}”.</Trans>
    ) : (
      <Trans>
        The passkey “{name}” has been deleted. Your device may still list it, but you can no longer sign in with it here.
      </Trans>
    )}
  </Done>
);

const reasonTexts: Record<string, ReactElement> = {
  passkey_known: <Trans>This device already has a passkey for your account.</Trans>,
  passkey_unsupported: <Trans>This device couldn’t make a passkey. Try another device.</Trans>,
  passkey_over: <Trans>That took too long. Please try again.</Trans>,
  passkey_refused: <Trans>We couldn’t verify the passkey that your device made. Please try again.</Trans>,
  passkeys_full: <Trans>You have twenty passkeys, and that’s the most. Delete one that you no longer use.</Trans>,
  last_way_in: (
    <Trans>This passkey is your only way to sign in. Set a password or add another passkey before you delete it.</Trans>
  ),
  not_found: <Trans>This passkey has already been deleted. Reload the page.</Trans>,
};

const signInAgain = (
  <Trans>
    To add or delete a passkey, please sign in again first. This keeps others who use this device out of your account.
  </Trans>
);

const formatReason = (problem: Problem): ReactElement =>
  (problem.kind === 'refused' ? reasonTexts[problem.code] : undefined) ?? formatProblem(problem);

/** A form for renaming the passkey; the typed name stays while it is saved. */
const NameForm = ({ actor, passkey: { name } }: Props & { passkey: Passkey }): ReactElement => {
  const { t } = useLingui();
  const { fields } = useSelector(actor, ({ context }) => context);
  return (
    <MachineForm actor={actor} name="name" form={PasskeyNameForm} gap={3} width="100%" maxWidth="26rem">
      <TextField
        name="name"
        autoComplete="off"
        autoFocus
        label={t`What should this passkey be called?`}
        defaultValue={name}
        problem={formatFieldProblem(fields['name'])}
      />
      <FormAnswers actor={actor} event="name.submitted" busyText={t`Saving…`}>
        <Trans>Save</Trans>
      </FormAnswers>
    </MachineForm>
  );
};

const Question = ({ actor, passkey: { name } }: Props & { passkey: Passkey }): ReactElement => (
  <RemovalQuestion
    actor={actor}
    question={<Trans>Delete the passkey “{name}”?</Trans>}
    look="danger"
    remove={<Trans>Delete passkey</Trans>}
    keep={<Trans>Keep passkey</Trans>}
  />
);

const Facts = ({ actor, passkey: { id, name, addedAt, lastUsedAt } }: Props & { passkey: Passkey }): ReactElement => {
  const { t, i18n } = useLingui();
  const { chosen, isNamed } = useSelector(actor, ({ context }) => context);
  return (
    <>
      <chakra.div flex="1 1 14rem" minWidth="0" overflowWrap="anywhere">
        <p>{name}</p>
        <chakra.p color="inkMuted">
          <Trans>
            Added <time dateTime={addedAt}>{formatDateTime(addedAt, i18n.locale)}</time>
          </Trans>
        </chakra.p>
        <chakra.p color="inkMuted">
          {lastUsedAt === '' ? (
            <Trans>Not used yet</Trans>
          ) : (
            <Trans>
              Last used <time dateTime={lastUsedAt}>{formatDateTime(lastUsedAt, i18n.locale)}</time>
            </Trans>
          )}
        </chakra.p>
      </chakra.div>
      <RowButton
        actor={actor}
        event={{ type: 'rename.pressed', passkeyId: id }}
        itemId={id}
        label={t`Rename the passkey “${name}”`}
        restoresFocus={chosen === id && isNamed}
      >
        <Trans>Rename</Trans>
      </RowButton>
      <RowButton
        actor={actor}
        event={{ type: 'remove.pressed', passkeyId: id }}
        itemId={id}
        label={t`Delete the passkey “${name}”`}
        restoresFocus={chosen === id && !isNamed}
      >
        <Trans>Delete</Trans>
      </RowButton>
    </>
  );
};

/** One passkey, the form for its new name, or the question whether to delete it. */
const Line = ({ actor, passkey }: Props & { passkey: Passkey }): ReactElement => {
  const isConfirmingRemoval = useIsConfirmingRemoval(actor, passkey.id);
  const isRenaming = useSelector(
    actor,
    (state) => (state.matches('naming') || state.matches('renaming')) && state.context.chosen === passkey.id,
  );
  const LineContent = isRenaming ? NameForm : isConfirmingRemoval ? Question : Facts;
  return (
    <Row>
      <LineContent actor={actor} passkey={passkey} />
    </Row>
  );
};

/** The list of passkeys; it stays visible while a passkey is being changed. */
const Shown = ({ actor }: Props): ReactElement => {
  const { passkeys, canAdd, notice, problem } = useSelector(actor, ({ context }) => context);
  const isAdding = useSelector(actor, (state) => state.matches('adding'));
  return (
    <>
      <RefusedAbove problem={problem} signInAgain={signInAgain} reason={formatReason} />
      {notice === null ? null : <Notice {...notice} />}
      <chakra.p color="inkMuted">
        <Trans>
          With a passkey you sign in the way you unlock your device: with your fingerprint, your face or a PIN, without a
          password.
        </Trans>
      </chakra.p>
      {passkeys.length === 0 ? null : (
        <chakra.ul listStyleType="none" mt={3}>
          {passkeys.map((passkey) => (
            <Line key={passkey.id} actor={actor} passkey={passkey} />
          ))}
        </chakra.ul>
      )}
      {canAdd ? (
        <EventButton actor={actor} event={{ type: 'add.pressed' }} look="outline" mt={3}>
          {isAdding ? <Spinner aria-hidden /> : null}
          {isAdding ? <Trans>Waiting for your device…</Trans> : <Trans>Add a passkey</Trans>}
        </EventButton>
      ) : (
        <chakra.p mt={3}>
          <Trans>This browser can’t add passkeys. Open your account in another browser, or on your phone.</Trans>
        </chakra.p>
      )}
    </>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your passkeys</Trans>} />
);

const screens: Screens<typeof passkeysMachine> = {
  loading: Fetching,
  shown: Shown,
  adding: Shown,
  naming: Shown,
  renaming: Shown,
  asking: Shown,
  removing: Shown,
  none: null,
  failed: Failed,
};

/** The account's passkeys, with buttons to add, rename and delete them. */
export const Passkeys = ({ actor }: Props): ReactElement => (
  <Section flow="passkeys" actor={actor} screens={screens} heading={<Trans>Passkeys</Trans>} />
);
