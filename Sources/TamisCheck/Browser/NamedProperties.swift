/// The names of the properties that a page's scripts read from its document and from a form.
///
/// The names are those of Chromium 156 without constants and event handlers, enumerated by `Object.getOwnPropertyNames`
/// along the prototypes of `document` and of a form, to those of every object.
enum NamedProperties {
  /// The properties of a document.
  static let document = words(documentOnly, shared)
  /// The properties of a form.
  static let form = words(formOnly, shared)

  private static func words(_ texts: String...) -> Set<String> {
    Set(texts.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) })
  }

  /// The properties of both.
  private static let shared = """
    __proto__ constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
    activeViewTransition addEventListener append appendChild ariaNotify baseURI childElementCount childNodes
    children cloneNode compareDocumentPosition contains customElementRegistry dir dispatchEvent firstChild
    firstElementChild getAnimations getElementsByClassName getElementsByTagName getElementsByTagNameNS getRootNode
    hasChildNodes hidden insertBefore isConnected isDefaultNamespace isEqualNode isSameNode lastChild
    lastElementChild lookupNamespaceURI lookupPrefix moveBefore nextSibling nodeName nodeType nodeValue normalize
    ownerDocument parentElement parentNode prepend previousSibling querySelector querySelectorAll removeChild
    removeEventListener replaceChild replaceChildren startViewTransition textContent title when
    """

  /// The properties of a document alone.
  private static let documentOnly = """
    URL activeElement adoptNode adoptedStyleSheets alinkColor all anchors applets bgColor body browsingTopics
    captureEvents caretPositionFromPoint caretRangeFromPoint characterSet charset clear close compatMode
    contentType cookie createAttribute createAttributeNS createCDATASection createComment createDocumentFragment
    createElement createElementNS createEvent createExpression createNSResolver createNodeIterator
    createProcessingInstruction createRange createTextNode createTreeWalker currentScript defaultView designMode
    doctype documentElement documentURI domain elementFromPoint elementsFromPoint embeds evaluate execCommand
    exitFullscreen exitPictureInPicture exitPointerLock featurePolicy fgColor fonts forms fragmentDirective
    fullscreen fullscreenElement fullscreenEnabled getElementById getElementsByName getSelection hasFocus
    hasPrivateToken hasRedemptionRecord hasStorageAccess hasUnpartitionedCookieAccess head images implementation
    importNode inputEncoding lastModified linkColor links location open pictureInPictureElement
    pictureInPictureEnabled plugins pointerLockElement prerendering queryCommandEnabled queryCommandIndeterm
    queryCommandState queryCommandSupported queryCommandValue readyState referrer releaseEvents
    requestStorageAccess rootElement scripts scrollingElement styleSheets timeline visibilityState vlinkColor
    wasDiscarded webkitCancelFullScreen webkitCurrentFullScreenElement webkitExitFullscreen
    webkitFullscreenElement webkitFullscreenEnabled webkitHidden webkitIsFullScreen webkitVisibilityState write
    writeln xmlEncoding xmlStandalone xmlVersion
    """

  /// The properties of a form alone.
  private static let formOnly = """
    acceptCharset accessKey action after animate ariaActionsElements ariaActiveDescendantElement ariaAtomic
    ariaAutoComplete ariaBrailleLabel ariaBrailleRoleDescription ariaBusy ariaChecked ariaColCount ariaColIndex
    ariaColIndexText ariaColSpan ariaControlsElements ariaCurrent ariaDescribedByElements ariaDescription
    ariaDetailsElements ariaDisabled ariaErrorMessageElements ariaExpanded ariaFlowToElements ariaHasPopup
    ariaHidden ariaInvalid ariaKeyShortcuts ariaLabel ariaLabelledByElements ariaLevel ariaLive ariaModal
    ariaMultiLine ariaMultiSelectable ariaOrientation ariaPlaceholder ariaPosInSet ariaPressed ariaReadOnly
    ariaRelevant ariaRequired ariaRoleDescription ariaRowCount ariaRowIndex ariaRowIndexText ariaRowSpan
    ariaSelected ariaSetSize ariaSort ariaValueMax ariaValueMin ariaValueNow ariaValueText assignedSlot
    attachInternals attachShadow attributeStyleMap attributes autocapitalize autocomplete autocorrect autofocus
    before blur checkValidity checkVisibility classList className click clientHeight clientLeft clientTop
    clientWidth closest computedStyleMap contentEditable currentCSSZoom dataset draggable editContext
    elementTiming elements encoding enctype enterKeyHint focus focusGroup focusGroupStart getAttribute
    getAttributeNS getAttributeNames getAttributeNode getAttributeNodeNS getBoundingClientRect getClientRects
    getHTML hasAttribute hasAttributeNS hasAttributes hasPointerCapture hidePopover id inert innerHTML innerText
    inputMode insertAdjacentElement insertAdjacentHTML insertAdjacentText isContentEditable lang length localName
    matches method name namespaceURI nextElementSibling noValidate nonce offsetHeight offsetLeft offsetParent
    offsetTop offsetWidth outerHTML outerText part popover prefix previousElementSibling pseudo rel relList
    releasePointerCapture remove removeAttribute removeAttributeNS removeAttributeNode replaceWith reportValidity
    requestFullscreen requestPointerLock requestSubmit reset role scroll scrollBy scrollHeight scrollIntoView
    scrollIntoViewIfNeeded scrollLeft scrollTo scrollTop scrollWidth setAttribute setAttributeNS setAttributeNode
    setAttributeNodeNS setHTML setHTMLUnsafe setPointerCapture shadowRoot showPopover slot spellcheck style submit
    tabIndex tagName target toggleAttribute togglePopover translate virtualKeyboardPolicy webkitMatchesSelector
    webkitRequestFullScreen webkitRequestFullscreen writingSuggestions
    """
}
