import { Trans } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import type { FieldProblem } from '../../../machines/model/account/session.ts';

const fieldProblemTexts: Record<FieldProblem, ReactElement> = {
  required: <Trans>Please fill in this field.</Trans>,
  email: <Trans>This doesn’t look like an email address.</Trans>,
  tooShort: <Trans>Use at least 8 characters.</Trans>,
  tooLong: <Trans>This is too long.</Trans>,
  agree: <Trans>Please agree to continue.</Trans>,
  mismatch: <Trans>The two entries don’t match.</Trans>,
  number: <Trans>Please enter a number.</Trans>,
  date: <Trans>Please enter a date.</Trans>,
  choice: <Trans>Please choose one of these.</Trans>,
  day: <Trans>Please choose a date within the next year.</Trans>,
  link: <Trans>Web and email addresses aren’t allowed here. If this isn’t one, add a space after the dot.</Trans>,
  cardNumber: <Trans>This doesn’t look like a card number.</Trans>,
  cardExpiry: <Trans>Please enter month and year, like 09/31.</Trans>,
  cardCode: <Trans>Please enter the three or four digits.</Trans>,
  taken: <Trans>There’s already an account with this address.</Trans>,
};

/** The text of a field's problem, shown below it; null when it is valid. */
export const formatFieldProblem = (problem: FieldProblem | undefined): ReactElement | null =>
  problem === undefined ? null : fieldProblemTexts[problem];
