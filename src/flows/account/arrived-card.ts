import { mayBeAddedYet, type AddedCard } from '../../../machines/model/buying/card.ts';
import { problemOfFailure, raise } from '../../client/wire/problem.ts';
import { dropFromQuery, secretInQuery } from '../../history/secret-in-address.ts';

/** What the gateway adds to the address of those who have left a card with it. */
const name = 'cardtoken';

/** What the contract says of a token. */
const tokenShape = /^[\w.~+/=-]{16,512}$/;

/** Takes the token out, unless the customer has gone elsewhere meanwhile. */
const dropToken = (token: string): void => {
  if (secretInQuery(name) === token) dropFromQuery(name);
};

/**
 * Adds the card with which the customer has come back. Its token leaves the address with the answer; while there is none, a
 * reload tries again. Nobody is asked about what cannot be a token.
 * @param add rejects with a `Problem`
 */
export const addArrivedCard = async (add: (token: string) => Promise<AddedCard>): Promise<AddedCard | null> => {
  const token = secretInQuery(name);
  if (token === null) return null;
  if (!tokenShape.test(token)) {
    dropToken(token);
    return null;
  }
  try {
    const added = await add(token);
    dropToken(token);
    return added;
  } catch (error) {
    const problem = problemOfFailure(error);
    if (!mayBeAddedYet(problem)) dropToken(token);
    return raise(problem);
  }
};
