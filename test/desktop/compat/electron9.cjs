'use strict'
// TEST ONLY. Stands in for `electron` in the test build, so that a main process written for the
// current Electron runs on 9.4.1 (Node 12, Chromium 83). Never part of what ships.
const electron = require('electron')

electron.app.on('web-contents-created', (_event, contents) => {
  contents.setWindowOpenHandler = (decide) => {
    contents.removeAllListeners('new-window')
    contents.on('new-window', (event, url, frameName, disposition) => {
      const { action } = decide({ url, frameName, disposition, features: '' })
      if (action !== 'allow') event.preventDefault()
    })
  }
})

const handle = electron.ipcMain.handle.bind(electron.ipcMain)
electron.ipcMain.handle = (channel, answer) =>
  handle(channel, (event, ...args) => {
    event.senderFrame = { url: event.sender.getURL(), parent: null }
    return answer(event, ...args)
  })

// 9.4.1 knows this permission under no name of its own: it is granted without being asked.
module.exports = new Proxy(electron, { get: (target, name) => target[name] })
