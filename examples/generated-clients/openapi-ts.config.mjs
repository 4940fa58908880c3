export default { input: 'openapi.json', output: 'generated/hey-api', logs: { file: false } };
