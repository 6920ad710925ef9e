import { canStillAddCard, type AddedCard } from '../../../machines/model/buying/card.ts';
import { toFetchProblem, throwProblem } from '../../client/wire/problem.ts';
import { removeFromQuery, readQuerySecret } from '../../history/secret-in-address.ts';

/** The parameter that the gateway adds to the return address after it has saved a card. */
const tokenParameter = 'cardtoken';

/** The format of a token in the contract. */
const tokenPattern = /^[\w.~+/=-]{16,512}$/;

/** Removes the token, unless the customer has left the page in the meantime. */
const dropToken = (token: string): void => {
  if (readQuerySecret(tokenParameter) === token) removeFromQuery(tokenParameter);
};

/**
 * Adds the card that the customer has returned with. Its token is removed from the address once an
 * answer arrives, so a reload before that retries. Malformed tokens are not sent.
 * @param add rejects with a `Problem`
 */
export const addReturnedCard = async (add: (token: string) => Promise<AddedCard>): Promise<AddedCard | null> => {
  const token = readQuerySecret(tokenParameter);
  if (token === null) return null;
  if (!tokenPattern.test(token)) {
    dropToken(token);
    return null;
  }
  try {
    const added = await add(token);
    dropToken(token);
    return added;
  } catch (error) {
    const problem = toFetchProblem(error);
    if (!canStillAddCard(problem)) dropToken(token);
    return throwProblem(problem);
  }
};
