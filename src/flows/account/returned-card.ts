import { canStillAddCard, type AddedCard } from '../../../machines/model/buying/card.ts';
import { toFetchProblem, throwProblem } from '../../client/wire/problem.ts';
import { removeFromQuery, readQuerySecret } from '../../history/secret-in-address.ts';

/** The parameter that the gateway adds to the return URL after it has saved a card. */
const tokenParameter = 'cardtoken';

/** The format of a token in the contract. */
const tokenPattern = /^[\w.~+/=-]{16,512}$/;

/** Removes the token from the URL, unless the customer has left the page in the meantime. */
const dropToken = (token: string): void => {
  if (readQuerySecret(tokenParameter) === token) removeFromQuery(tokenParameter);
};

/**
 * Adds the card of which the gateway has put the token into the page's URL. The token stays in the
 * URL while the card can still be added by it, so that a reload retries. Malformed tokens are
 * removed without a call.
 * @param add rejects with a `Problem`
 * @returns null without a valid token
 */
export const addReturnedCard = async (add: (token: string) => Promise<AddedCard>): Promise<AddedCard | null> => {
  const token = readQuerySecret(tokenParameter);
  if (token === null) return null;
  if (!tokenPattern.test(token)) {
    dropToken(token);
    return null;
  }
  try {
    const addedCard = await add(token);
    dropToken(token);
    return addedCard;
  } catch (error) {
    const problem = toFetchProblem(error);
    if (!canStillAddCard(problem)) dropToken(token);
    return throwProblem(problem);
  }
};
