import type { ComponentProps, ReactElement } from 'react';
import type { FieldProblems } from '../../../machines/model/account/session.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { formatFieldProblem } from './field-problem-text.tsx';

type Props = Omit<ComponentProps<typeof PasswordField>, 'problem' | 'autoComplete'> & { name: string; fields: FieldProblems };

/** The field for a new password, or for its repetition. */
export const NewPasswordField = ({ name, fields, ...field }: Props): ReactElement => (
  <PasswordField name={name} autoComplete="new-password" problem={formatFieldProblem(fields[name])} {...field} />
);
