// What somebody does in a console to show how an operation is called, in plain words.

/** By gap. */
export const clicks: Readonly<Record<string, string>> = {
  'operation.create-site': 'create a site',
  'operation.list-sites': 'open the list of sites',
  'operation.get-site': 'open a site',
  'operation.delete-site': 'delete a site that you have created for this',
  'operation.publish-site': 'publish a site',
  'operation.fail-publish': 'cause a publish that fails, where the console can do that',
  'operation.import-site': 'import a site',
  'operation.ai': 'use an AI-assisted function, such as a suggestion for a text',
  'operation.create-key': 'create an API key',
  'operation.list-keys': 'open the list of API keys',
  'operation.delete-key': 'delete an API key that you have created for this',
  'operation.create-content': 'write a content item, and save it',
  'operation.publish-content': 'publish a content item',
  'operation.update-content': 'change a content item, and save it',
  'operation.delete-content': 'delete a content item',
  'operation.submit-form': 'fill in a form of the published site, as a visitor does, and send it',
  'operation.create-comment': 'comment on the published site, as a visitor does',
  'operation.list-contents': 'open the list of content items',
  'operation.get-content': 'open a content item',
  'operation.list-submissions': 'open what was sent by forms',
  'operation.list-comments': 'open the list of comments',
  'operation.get-publish': 'publish a site, and stay until the console says that it is done',
  'operation.list-subscriptions': 'open the list of webhook subscriptions',
  'operation.delete-subscription': 'delete a webhook subscription that you have created for this',
  'operation.list-deliveries': 'open the webhook push log of a subscription',
};

/** A sentence for each gap that still wants a click: "delete a content item to learn operation.delete-content". */
export function clickHints(missing: readonly string[]): string[] {
  return missing.flatMap((gap) => (clicks[gap] === undefined ? [] : [`${clicks[gap]} to learn ${gap}`]));
}
