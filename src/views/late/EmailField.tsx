import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { AnyActorRef } from 'xstate';
import type { TypedEmail } from '../../../machines/flows/flow-input.ts';
import type { FieldProblems } from '../../../machines/model/session.ts';
import { TextField } from '../../ui/TextField.tsx';
import { fieldProblemText } from './field-problem-text.tsx';

type Props = {
  actor: AnyActorRef;
  context: { fields: FieldProblems; typed?: TypedEmail };
  autoComplete?: string;
};

/** The address of an account: what was typed on the form before stands in it, and the next form gets what is typed here. */
export const EmailField = ({ actor, context: { fields, typed }, autoComplete = 'username' }: Props): ReactElement => {
  const { t } = useLingui();
  return (
    <TextField
      name="email"
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      label={t`Email address`}
      defaultValue={typed?.pii.email}
      onBlur={({ currentTarget }) => actor.send({ type: 'email.typed', pii: { email: currentTarget.value } })}
      problem={fieldProblemText(fields['email'])}
    />
  );
};
